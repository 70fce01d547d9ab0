package dev.handoff.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Handoff;
import dev.handoff.JobRequest;
import dev.handoff.PlanOutcome;
import dev.handoff.PlanRequest;
import dev.handoff.engine.Facts;
import dev.handoff.job.Json;
import dev.handoff.ledger.EntityState;
import dev.handoff.ledger.LiveStates;
import dev.handoff.ledger.StoredEvent;
import dev.handoff.plan.OpenSet;
import dev.handoff.plan.PlanFact;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanState;
import dev.handoff.plan.change.Verdict;
import dev.handoff.store.StoreSettings;
import dev.handoff.store.Stores;
import dev.handoff.testing.Actors;
import dev.handoff.testing.ChangeHistory;
import dev.handoff.testing.Held;
import dev.handoff.testing.Home;
import dev.handoff.testing.PlanInvariants;
import dev.handoff.testing.Seeds;
import dev.handoff.testing.Soon;
import dev.handoff.testing.StoredPlans;
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

  @RegisterExtension static final Actors actors = Actors.inRealTime();

  private final ChangeHistory history = new ChangeHistory();
  private final List<PlanId> plans = new ArrayList<>();

  private static Handoff start(Home home, Held held) {
    return Handoff.on(actors.system())
        .store(home.store())
        .partitions(4)
        .shutdownGrace(Duration.ZERO)
        .cancelling(Duration.ofMillis(10), Duration.ofSeconds(10))
        .set("ledger.checkpoint-after", "1GiB")
        .handler("held", Json.class, held)
        .start();
  }

  /// Their only step runs until the test lets it end.
  private void submit(Handoff handoff) {
    for (int number = 0; number < PLANS; number++) {
      var request = PlanRequest.of("plan-" + number).step("last", JobRequest.of("held"));
      plans.add(handoff.plans().submitOrThrow(request).id());
    }
  }

  private void work(Home home, Random random, BusyCallers.Latest latest) {
    try (var handoff = start(home, new Held())) {
      submit(handoff);
      new BusyCallers(plans, history, latest).work(random, CALLERS, ACTS, handoff.plans()::plan);
    }
  }

  /// All that can be said of plans that have not ended.
  private List<String> violations(StoredPlans stored) {
    return PlanInvariants.violations(history, stored).stream()
        .filter(violation -> !violation.startsWith("I1 "))
        .toList();
  }

  @ParameterizedTest
  @EnumSource(
      value = Home.Kind.class,
      names = {"FILE", "POSTGRES"})
  void isWhereTheReplySaysAlsoAfterARestart(Home.Kind kind) {
    Seeds.each(
        kind == Home.Kind.FILE ? 3 : 1,
        random -> {
          plans.clear();
          try (var home = Home.of(kind)) {
            work(home, random, BusyCallers.Latest::byTheMailbox);
            var stored = StoredPlans.of(home.store());

            assertThat(violations(stored)).isEmpty();
            assertThat(history.all(ChangeHistory.Recorded.class)).hasSizeGreaterThan(200);
            assertThat(history.all(ChangeHistory.Refused.class)).isNotEmpty();
            assertThat(history.all(ChangeHistory.Closed.class)).isNotEmpty();
            assertThat(history.all(ChangeHistory.Discarded.class)).isNotEmpty();

            end(home, random);
            assertThat(PlanInvariants.violations(history, StoredPlans.of(home.store()))).isEmpty();
          }
        });
  }

  /// Goes on for a while after the restart, and closes what is open then.
  private void end(Home home, Random random) {
    var held = new Held();
    try (var handoff = start(home, held)) {
      new BusyCallers(plans, history, BusyCallers.Latest::byTheMailbox)
          .work(random, CALLERS, ACTS / 8, handoff.plans()::plan);
      for (var plan : plans) {
        var handle = handoff.plans().plan(plan);
        BusyCallers.closeAll(handle, history);
        assertThat(Soon.get(handle.info()).orElseThrow().openChangesets()).isEmpty();
        assertThat(Soon.get(handle.verify())).isInstanceOf(Verdict.Intact.class);
        held.next().succeed(null);
      }
      for (var plan : plans) {
        assertThat(Soon.get(handoff.plans().plan(plan).result()))
            .isInstanceOf(PlanOutcome.Succeeded.class);
      }
    }
  }

  @Test
  void isSeenToBeElsewhereIfTheLatestSetIsReadOutsideOfTheMailbox() {
    try (var home = Home.of(Home.Kind.FILE)) {
      recordInTwoSets(home, BusyCallers.Latest::byAStaleRead);

      assertThat(violations(StoredPlans.of(home.store())))
          .anyMatch(violation -> violation.startsWith("I11"));
    }
  }

  @Test
  void isSeenToBeElsewhereIfTheLedgerIsFoldedIntoTheLatestSet() {
    try (var home = Home.of(Home.Kind.FILE)) {
      recordInTwoSets(home, BusyCallers.Latest::byTheMailbox);
      var access = StoreSettings.Access.READ;
      try (var store = Stores.open(new StoreSettings(home.store(), 0, access, "the checkers"))) {
        var misread = StoredPlans.of(store, ChangesetChaosTest::foldIntoTheLatest);

        assertThat(violations(misread))
            .anyMatch(violation -> violation.matches("I11 .* is not in .*"));
      }
    }
  }

  /// In the latest one, and in one that is not the latest any more.
  private void recordInTwoSets(Home home, BusyCallers.Latest latest) {
    try (var handoff = start(home, new Held())) {
      submit(handoff);
      var caller = new BusyCallers(plans, history, latest);
      var plan = handoff.plans().plan(plans.getFirst());
      var first = Soon.get(plan.startChangeset("first", "a caller")).orThrow();
      caller.recordInTheLatest(plan, "in the latest.txt");
      Soon.get(plan.startChangeset("second", "a caller"));
      caller.record(plan, first, "in the first.txt");
    }
  }

  private static List<EntityState> foldIntoTheLatest(
      LiveStates live, String entity, StoredEvent event) {
    if (event instanceof PlanFact.ChangesRecorded(var named, var entries)
        && live.get(entity) instanceof PlanState plan) {
      var latest = plan.book().open().stream().map(OpenSet::id).reduce(named, (one, last) -> last);
      return Facts.fold(live, entity, new PlanFact.ChangesRecorded(latest, entries));
    }
    return Facts.fold(live, entity, event);
  }
}
