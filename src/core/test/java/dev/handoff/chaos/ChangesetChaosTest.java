package dev.handoff.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Handoff;
import dev.handoff.JobRequest;
import dev.handoff.Json;
import dev.handoff.StoreSettings;
import dev.handoff.internal.engine.FactFolding;
import dev.handoff.internal.ledger.EntityState;
import dev.handoff.internal.ledger.LiveStates;
import dev.handoff.internal.ledger.StoredEvent;
import dev.handoff.internal.plan.OpenChangeset;
import dev.handoff.internal.plan.PlanFact;
import dev.handoff.internal.plan.PlanState;
import dev.handoff.internal.store.open.StoreOpener;
import dev.handoff.plan.ChainVerdict;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanOutcome;
import dev.handoff.plan.PlanRequest;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.ChangeHistory;
import dev.handoff.testing.HeldHandler;
import dev.handoff.testing.PlanInvariants;
import dev.handoff.testing.PlanStoreSamples;
import dev.handoff.testing.RandomSeeds;
import dev.handoff.testing.StoreDirectory;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("What many callers record in changesets at once")
class ChangesetChaosTest {

  private static final int PLANS = 8;
  private static final int CALLERS = 32;
  private static final int ACTS = 40;

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private final ChangeHistory history = new ChangeHistory();
  private final List<PlanId> plans = new ArrayList<>();

  private static Handoff start(StoreDirectory home, HeldHandler held) {
    return Handoff.on(actors.system())
        .store(home.store())
        .partitions(4)
        .shutdownGrace(Duration.ZERO)
        .cancelling(Duration.ofMillis(10), Duration.ofSeconds(10))
        .set("ledger.checkpoint-after", "1GiB")
        .handler("held", Json.class, held)
        .start();
  }

  /// Submits plans whose only step runs until the test ends it.
  private void submit(Handoff handoff) {
    for (int number = 0; number < PLANS; number++) {
      var request = PlanRequest.of("plan-" + number).step("last", JobRequest.of("held"));
      plans.add(handoff.plans().submitOrThrow(request).id());
    }
  }

  private void work(StoreDirectory home, Random random, BusyCallers.Latest latest) {
    try (var handoff = start(home, new HeldHandler())) {
      submit(handoff);
      new BusyCallers(plans, history, latest).work(random, CALLERS, ACTS, handoff.plans()::plan);
    }
  }

  /// Violations in plans that have not ended: I1 does not apply to them.
  private List<String> violations(PlanStoreSamples stored) {
    return PlanInvariants.violations(history, stored).stream()
        .filter(violation -> !violation.startsWith("I1 "))
        .toList();
  }

  @ParameterizedTest
  @EnumSource(
      value = StoreDirectory.Kind.class,
      names = {"FILE", "POSTGRES"})
  void isWhereTheReplySaysAlsoAfterARestart(StoreDirectory.Kind kind) {
    RandomSeeds.each(
        kind == StoreDirectory.Kind.FILE ? 3 : 1,
        random -> {
          plans.clear();
          try (var home = StoreDirectory.of(kind)) {
            work(home, random, BusyCallers.Latest::byTheMailbox);
            var stored = PlanStoreSamples.of(home.store());

            assertThat(violations(stored)).isEmpty();
            assertThat(history.all(ChangeHistory.Recorded.class)).hasSizeGreaterThan(200);
            assertThat(history.all(ChangeHistory.Refused.class)).isNotEmpty();
            assertThat(history.all(ChangeHistory.Closed.class)).isNotEmpty();
            assertThat(history.all(ChangeHistory.Discarded.class)).isNotEmpty();

            end(home, random);
            assertThat(PlanInvariants.violations(history, PlanStoreSamples.of(home.store())))
                .isEmpty();
          }
        });
  }

  /// Continues after the restart, closes all open changesets, and ends the plans.
  private void end(StoreDirectory home, Random random) {
    var held = new HeldHandler();
    try (var handoff = start(home, held)) {
      new BusyCallers(plans, history, BusyCallers.Latest::byTheMailbox)
          .work(random, CALLERS, ACTS / 8, handoff.plans()::plan);
      for (var plan : plans) {
        var handle = handoff.plans().plan(plan);
        BusyCallers.closeAll(handle, history);
        assertThat(BoundedWaits.get(handle.info()).orElseThrow().openChangesets()).isEmpty();
        assertThat(BoundedWaits.get(handle.verify())).isInstanceOf(ChainVerdict.Intact.class);
        held.next().succeed(null);
      }
      for (var plan : plans) {
        assertThat(BoundedWaits.get(handoff.plans().plan(plan).result()))
            .isInstanceOf(PlanOutcome.Succeeded.class);
      }
    }
  }

  @Test
  void isSeenToBeElsewhereIfTheLatestSetIsReadOutsideOfTheMailbox() {
    try (var home = StoreDirectory.of(StoreDirectory.Kind.FILE)) {
      recordInTwoSets(home, BusyCallers.Latest::byAStaleRead);

      assertThat(violations(PlanStoreSamples.of(home.store())))
          .anyMatch(violation -> violation.startsWith("I11"));
    }
  }

  @Test
  void isSeenToBeElsewhereIfTheLedgerIsFoldedIntoTheLatestSet() {
    try (var home = StoreDirectory.of(StoreDirectory.Kind.FILE)) {
      recordInTwoSets(home, BusyCallers.Latest::byTheMailbox);
      var access = StoreSettings.Access.READ;
      try (var store =
          StoreOpener.open(new StoreSettings(home.store(), 0, access, "the checkers"))) {
        var misread = PlanStoreSamples.of(store, ChangesetChaosTest::foldIntoTheLatest);

        assertThat(violations(misread))
            .anyMatch(violation -> violation.matches("I11 .* is not in .*"));
      }
    }
  }

  /// Records a change in the latest changeset, and a change after a newer one was started.
  private void recordInTwoSets(StoreDirectory home, BusyCallers.Latest latest) {
    try (var handoff = start(home, new HeldHandler())) {
      submit(handoff);
      var caller = new BusyCallers(plans, history, latest);
      var plan = handoff.plans().plan(plans.getFirst());
      var first = BoundedWaits.get(plan.startChangeset("first", "a caller")).orThrow();
      caller.recordInTheLatest(plan, "in the latest.txt");
      BoundedWaits.get(plan.startChangeset("second", "a caller"));
      caller.record(plan, first, "in the first.txt");
    }
  }

  private static List<EntityState> foldIntoTheLatest(
      LiveStates live, String entity, StoredEvent event) {
    if (event instanceof PlanFact.ChangesRecorded(var named, var entries)
        && live.get(entity) instanceof PlanState plan) {
      var latest =
          plan.book().open().stream().map(OpenChangeset::id).reduce(named, (one, last) -> last);
      return FactFolding.fold(live, entity, new PlanFact.ChangesRecorded(latest, entries));
    }
    return FactFolding.fold(live, entity, event);
  }
}
