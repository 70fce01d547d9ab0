package dev.handoff.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Handoff;
import dev.handoff.StoreSettings;
import dev.handoff.plan.ChainVerdict;
import dev.handoff.plan.PlanHandle;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanInfo;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.HistoryInvariants;
import dev.handoff.testing.PlanInvariants;
import dev.handoff.testing.PlanStoreSamples;
import dev.handoff.testing.RandomSeeds;
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

/// Operators who concurrently cancel plans, child plans and steps, retry, apply, and commit their
/// own changesets, while the plans' steps run.
@DisplayName("Plans in a storm")
class PlanStormTest {

  private static final int PLANS = 6;
  private static final int OPERATORS = 8;
  private static final int ACTS = 30;

  @TempDir Path directory;

  /// Run on one store.
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
        operators.forEach(BoundedWaits::get);
      }
    }

    private void work(Random own, Handoff handoff) {
      for (int act = 0; act < ACTS; act++) {
        act(own, handoff, handoff.plans().plan(plans.get(own.nextInt(PLANS))));
      }
    }

    private void act(Random own, Handoff handoff, PlanHandle plan) {
      switch (own.nextInt(10)) {
        case 0 -> BoundedWaits.get(plan.cancel("not needed").requested());
        case 1, 2 -> BoundedWaits.get(plan.retry("an operator"));
        case 3 -> cancelPart(own, handoff, BoundedWaits.get(plan.info()).orElseThrow());
        case 4 -> BoundedWaits.get(plan.startChangeset("mine", "an operator"));
        case 5 -> BusyCallers.closeAll(plan, bench.changes());
        case 6, 7 -> closeAndApply(plan, target.resolve(plan + "-" + own.nextInt(2)));
        default -> BoundedWaits.get(plan.diff());
      }
    }

    /// Sends closes and apply without waiting, so that the plan can decide them together.
    private void closeAndApply(PlanHandle plan, Path into) {
      var closing =
          BoundedWaits.get(plan.info()).orElseThrow().openChangesets().stream()
              .map(open -> plan.close(open.id()))
              .toList();
      var applying = plan.apply(into);
      closing.forEach(BoundedWaits::get);
      BoundedWaits.get(applying);
    }

    private static void cancelPart(Random own, Handoff handoff, PlanInfo plan) {
      var step = plan.steps().get(own.nextInt(plan.steps().size()));
      if (step.plan().isEmpty()) {
        BoundedWaits.get(handoff.handle(step.job().orElseThrow()).cancel("not needed").requested());
      } else if (own.nextBoolean()) {
        BoundedWaits.get(
            handoff.plans().plan(step.plan().get().id()).cancel("not needed").requested());
      } else {
        cancelPart(own, handoff, step.plan().get());
      }
    }

    /// After a restart, every plan ends and agrees with the replies.
    void calm() {
      try (var handoff = start()) {
        for (var id : plans) {
          var plan = handoff.plans().plan(id);
          BusyCallers.closeAll(plan, bench.changes());
          BoundedWaits.get(plan.result());
          assertThat(BoundedWaits.get(plan.verify())).isInstanceOf(ChainVerdict.Intact.class);
        }
      }
    }

    List<String> violations(PlanStoreSamples stored) {
      var found = new ArrayList<>(PlanInvariants.violations(bench.changes(), stored));
      found.addAll(
          new HistoryInvariants(bench.history(), stored.jobs().values()).violations(Map.of()));
      return found;
    }
  }

  @Test
  void endAsTheirStepsHaveAndKeepEveryChange() {
    var facts = new HashMap<String, Integer>();
    RandomSeeds.each(
        4,
        random -> {
          var storm = new Storm(random);

          storm.rage();
          storm.calm();

          var stored = PlanStoreSamples.of(storm.store);
          assertThat(storm.violations(stored)).isEmpty();
          stored.facts().forEach((fact, times) -> facts.merge(fact, times, Integer::sum));
        });
    assertThat(facts)
        .containsKeys("plan StopRequested", "plan Reopened", "plan StepDropped", "job Cancelled")
        .containsKeys("plan ChangesetClosed", "plan ApplyWritten", "plan Recalled", "plan Filed");
  }
}
