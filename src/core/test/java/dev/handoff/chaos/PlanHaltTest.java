package dev.handoff.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Handoff;
import dev.handoff.JobRequest;
import dev.handoff.StoreSettings;
import dev.handoff.internal.store.Store;
import dev.handoff.internal.store.open.StoreOpener;
import dev.handoff.plan.PlanHandle;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanOutcome;
import dev.handoff.plan.PlanRequest;
import dev.handoff.plan.PlanSubmission;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.EngineHooks;
import dev.handoff.testing.HistoryInvariants;
import dev.handoff.testing.PlanInvariants;
import dev.handoff.testing.PlanStoreSamples;
import dev.handoff.testing.RandomSeeds;
import dev.handoff.testing.TestActors;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A plan whose engine dies")
class PlanHaltTest {

  private static final List<String> POINTS =
      List.of(
          "plan Submitted",
          "plan Released",
          "plan StopRequested",
          "plan Ended",
          "plan Reopened",
          "plan ChangesetStarted",
          "plan ChangesRecorded",
          "plan ChangesetClosed",
          "plan ChangesetDiscarded",
          "job Released",
          "job Claimed",
          "job Started",
          "job Succeeded",
          "job Succeeded",
          "job Failed",
          "job RetryScheduled",
          "job CancelRequested",
          "job Cancelled",
          "job Reopened",
          "contents");

  /// Without serialization: other tests cover it, and it would dominate the run time.
  @RegisterExtension
  static final TestActors actors =
      TestActors.inRealTime().with("pekko.actor.serialize-messages = off");

  /// Engines in sequence on one store.
  private static final class Life {

    private final PlanBench bench = new PlanBench();
    private final Set<PlanId> accepted = new HashSet<>();
    private final Random random;
    private final Store store;

    Life(Random random, Store store) {
      this.random = random;
      this.store = store;
    }

    private Handoff start(DyingStore dying) {
      var builder = Handoff.on(actors.system()).store(new StoreSettings.Memory());
      return bench.start(
          EngineHooks.store(
              builder,
              unused -> {
                unused.close();
                return dying;
              }));
    }

    /// @return whether the engine has died
    boolean until(DyingStore.Point point) {
      var dying = new DyingStore(store, point);
      CompletableFuture<Void> client;
      try (var handoff = start(dying)) {
        client = CompletableFuture.runAsync(() -> live(handoff), Thread::startVirtualThread);
        BoundedWaits.get(CompletableFuture.anyOf(client.exceptionally(why -> null), dying.death()));
      } catch (IllegalStateException diedAtStart) {
        return true;
      }
      client.exceptionally(failure -> rethrowUnlessDead(failure, dying)).join();
      return dying.isDead();
    }

    private static Void rethrowUnlessDead(Throwable failure, DyingStore dying) {
      if (dying.isDead()) {
        return null;
      }
      throw new AssertionError("it was not dead: " + failure.getMessage(), failure);
    }

    /// Client of a plan, until it gets no more answers.
    private void live(Handoff handoff) {
      var request = PlanBench.plan(random, "plan", 3);
      if (!(BoundedWaits.get(handoff.plans().submit(request))
          instanceof PlanSubmission.Accepted(var it))) {
        throw new IllegalStateException("it was not accepted");
      }
      accepted.add(it.id());
      var callers =
          new BusyCallers(List.of(it.id()), bench.changes(), BusyCallers.Latest::byTheMailbox);
      callers.work(random, 2, 6, handoff.plans()::plan);
      int which = random.nextInt(4);
      if (which == 0) {
        BoundedWaits.get(it.cancel("not needed").requested());
      } else {
        BusyCallers.closeAll(it, bench.changes());
      }
      if (!(BoundedWaits.get(it.result()) instanceof PlanOutcome.Succeeded) && which < 3) {
        BoundedWaits.get(it.retry("an operator"));
        BoundedWaits.get(it.result());
      }
    }

    /// Receives the acceptance of a plan, and of a change in that plan.
    void record(Store between) {
      try (var handoff = start(new DyingStore(between, DyingStore.Point.NEVER))) {
        var held = PlanRequest.of("plan").step("long", JobRequest.of("long", "plan"));
        var plan = handoff.plans().submitOrThrow(held);
        accepted.add(plan.id());
        var caller = new BusyCallers(List.of(), bench.changes(), BusyCallers.Latest::byTheMailbox);
        BoundedWaits.get(plan.startChangeset("of a caller", "a caller"));
        caller.recordInTheLatest(plan, "a.txt");
      }
    }

    /// Waits for the end of every plan.
    void finish() {
      bench.release();
      try (var handoff = start(new DyingStore(store, DyingStore.Point.NEVER))) {
        for (var plan : PlanStoreSamples.of(store).plans().values()) {
          if (plan.spec().isRoot()) {
            end(handoff.plans().plan(plan.id()));
          }
        }
      }
    }

    private void end(PlanHandle plan) {
      BusyCallers.closeAll(plan, bench.changes());
      var outcome = BoundedWaits.get(plan.result());
      if (!(outcome instanceof PlanOutcome.Succeeded) && random.nextBoolean()) {
        BoundedWaits.get(plan.retry("an operator"));
        BoundedWaits.get(plan.result());
      }
    }

    List<String> violations(PlanStoreSamples stored) {
      var found = new ArrayList<>(PlanInvariants.violations(bench.changes(), stored));
      found.addAll(
          new HistoryInvariants(bench.history(), stored.jobs().values()).violations(Map.of()));
      accepted.stream()
          .filter(plan -> !stored.plans().containsKey(plan))
          .forEach(plan -> found.add("I1 plan " + plan + " is lost"));
      return found;
    }
  }

  @Test
  void isAsItShouldBeOnceTheNextEngineHasFinishedIt() {
    var struck = new HashMap<String, Integer>();
    RandomSeeds.each(
        100,
        random -> {
          var what = POINTS.get(random.nextInt(POINTS.size()));
          var point = new DyingStore.Point(random.nextBoolean(), what, 1 + random.nextInt(3));
          try (var store = memory()) {
            var life = new Life(random, store);
            if (life.until(point)) {
              struck.merge(what, 1, Integer::sum);
            }
            life.finish();

            assertThat(life.violations(PlanStoreSamples.of(store))).as(point.toString()).isEmpty();
          }
        });
    assertThat(struck.values().stream().mapToInt(Integer::intValue).sum()).isGreaterThan(50);
    assertThat(struck).hasSizeGreaterThan(12);
  }

  /// The store withholds all batches from that fact on, although they are acknowledged.
  @ParameterizedTest
  @CsvSource({"plan-submitted, I1", "changes-recorded, I11"})
  void isSeenToBeLostOrAlteredIfItsStoreAnswersBeforeTheCommit(String fact, String invariant) {
    try (var store = memory()) {
      var life = new Life(new Random(1), store);
      life.record(new UnprotectedStore.LyingStore(store, fact));
      life.finish();

      assertThat(life.violations(PlanStoreSamples.of(store)))
          .anyMatch(violation -> violation.startsWith(invariant + " "));
    }
  }

  private static Store memory() {
    var access = StoreSettings.Access.OWN;
    return StoreOpener.open(new StoreSettings(new StoreSettings.Memory(), 2, access, "a test"));
  }
}
