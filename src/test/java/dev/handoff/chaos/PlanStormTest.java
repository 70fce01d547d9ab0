package dev.handoff.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Handoff;
import dev.handoff.PlanHandle;
import dev.handoff.PlanInfo;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.change.Verdict;
import dev.handoff.store.StoreSettings;
import dev.handoff.testing.Invariants;
import dev.handoff.testing.PlanInvariants;
import dev.handoff.testing.Seeds;
import dev.handoff.testing.Soon;
import dev.handoff.testing.StoredPlans;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Operators who cancel plans, child plans and steps, retry, apply and commit changesets of their
/// own, all at once, while the steps of the plans run.
@DisplayName("Plans in a storm")
class PlanStormTest {

  private static final int PLANS = 6;
  private static final int OPERATORS = 8;
  private static final int ACTS = 30;

  @TempDir Path directory;

  /// One store, with what happened to it.
  private final class Storm {

    private final PlanBench bench = new PlanBench();
    private final List<PlanId> plans = new ArrayList<>();
    private final StoreSettings.Kind store;
    private final Path target;
    private final Random random;

    Storm(Random random) throws Exception {
      var home = Files.createTempDirectory(directory, "storm");
      this.random = random;
      this.store = new StoreSettings.File(home.resolve("data"));
      this.target = Files.createDirectory(home.resolve("target"));
    }

    private Handoff start() {
      return bench.start(Handoff.builder().store(store));
    }

    void rage() {
      try (var handoff = start()) {
        for (int number = 0; number < PLANS; number++) {
          var request = PlanBench.plan(random, "plan-" + number, 3);
          plans.add(handoff.plans().submitOrThrow(request).id());
        }
        var operators = new ArrayList<CompletableFuture<Void>>();
        for (int number = 0; number < OPERATORS; number++) {
          var own = new Random(random.nextLong());
          operators.add(
              CompletableFuture.runAsync(() -> work(own, handoff), Thread::startVirtualThread));
        }
        operators.forEach(Soon::get);
      }
    }

    private void work(Random own, Handoff handoff) {
      for (int act = 0; act < ACTS; act++) {
        act(own, handoff, handoff.plans().plan(plans.get(own.nextInt(PLANS))));
      }
    }

    private void act(Random own, Handoff handoff, PlanHandle plan) {
      switch (own.nextInt(10)) {
        case 0 -> Soon.get(plan.cancel("not needed").requested());
        case 1, 2 -> Soon.get(plan.retry("an operator"));
        case 3 -> cancelPart(own, handoff, Soon.get(plan.info()).orElseThrow());
        case 4 -> Soon.get(plan.startChangeset("mine", "an operator"));
        case 5 -> BusyCallers.closeAll(plan, bench.changes());
        case 6, 7 -> closeAndApply(plan, target.resolve(plan + "-" + own.nextInt(2)));
        default -> Soon.get(plan.diff());
      }
    }

    /// Asked for at once, so that they may be decided together.
    private void closeAndApply(PlanHandle plan, Path into) {
      var closing =
          Soon.get(plan.info()).orElseThrow().openChangesets().stream()
              .map(open -> plan.close(open.id()))
              .toList();
      var applying = plan.apply(into);
      closing.forEach(Soon::get);
      Soon.get(applying);
    }

    private static void cancelPart(Random own, Handoff handoff, PlanInfo plan) {
      var step = plan.steps().get(own.nextInt(plan.steps().size()));
      if (step.plan().isEmpty()) {
        Soon.get(handoff.handle(step.job().orElseThrow()).cancel("not needed").requested());
      } else if (own.nextBoolean()) {
        Soon.get(handoff.plans().plan(step.plan().get().id()).cancel("not needed").requested());
      } else {
        cancelPart(own, handoff, step.plan().get());
      }
    }

    /// After a restart everything ends, and is as it was told.
    void calm() {
      try (var handoff = start()) {
        for (var id : plans) {
          var plan = handoff.plans().plan(id);
          BusyCallers.closeAll(plan, bench.changes());
          Soon.get(plan.result());
          assertThat(Soon.get(plan.verify())).isInstanceOf(Verdict.Intact.class);
        }
      }
    }

    List<String> violations(StoredPlans stored) {
      var found = new ArrayList<>(PlanInvariants.violations(bench.changes(), stored));
      found.addAll(new Invariants(bench.history(), stored.jobs().values()).violations(Map.of()));
      return found;
    }
  }

  @Test
  void endAsTheirStepsHaveAndKeepEveryChange() {
    var facts = new HashMap<String, Integer>();
    Seeds.each(
        4,
        random -> {
          var storm = new Storm(random);

          storm.rage();
          storm.calm();

          var stored = StoredPlans.of(storm.store);
          assertThat(storm.violations(stored)).isEmpty();
          stored.facts().forEach((fact, times) -> facts.merge(fact, times, Integer::sum));
        });
    assertThat(facts)
        .containsKeys("plan StopRequested", "plan Reopened", "plan StepDropped", "job Cancelled")
        .containsKeys("plan ChangesetClosed", "plan ApplyWritten", "plan Recalled", "plan Filed");
  }
}
