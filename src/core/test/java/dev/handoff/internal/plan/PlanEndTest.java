package dev.handoff.internal.plan;

import static dev.handoff.internal.plan.PlanSamples.draft;
import static dev.handoff.internal.plan.PlanSamples.step;
import static dev.handoff.internal.plan.PlanSamples.withDeadline;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.job.JobCommand;
import dev.handoff.internal.job.JobWatchers;
import dev.handoff.plan.PlanStatus;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A plan that comes to its end")
class PlanEndTest {

  @RegisterExtension static final TestActors actors = TestActors.inManualTime();

  private final PlanHarness harness = new PlanHarness(actors);

  private void failed() {
    harness.live(draft(step("a")));
    harness.nextOrder();
    harness.fail("a");
    harness.commit();
    harness.partition.expectMessageClass(PlanNotice.Gone.class);
  }

  @Test
  void answersUntilItIsRetired() {
    failed();
    harness.order(new PlanCommand.Cancel("too late", "ann"));
    harness.plan.tell(new Plan.Watch(harness.caller.ref()));
    harness.plan.tell(new Plan.Moved(harness.durable()));

    assertThat(harness.answer()).isEqualTo(new PlanAnswer.AlreadyFinished(PlanStatus.FAILED));
    harness.caller.expectMessage(new PlanReply.Current(harness.durable()));
    harness.expectSilence();
    harness.plan.tell(Plan.Retire.INSTANCE);
    harness.partition.expectTerminated(harness.plan);
  }

  @Test
  void leavesToItsPartitionWhatWouldOpenItAgain() {
    failed();
    harness.order(new PlanCommand.Retry("ann"));

    var passedOn = harness.partition.expectMessageClass(PlanNotice.ToPlan.class).message();

    assertThat(passedOn.plan()).isEqualTo(harness.id);
    assertThat(passedOn.command())
        .isEqualTo(new Plan.Do(new PlanCommand.Retry("ann"), harness.caller.ref()));
    harness.expectSilence();
  }

  @Test
  void isOpenedAgainFromHistory() {
    failed();
    harness.archived();
    harness.order(new PlanCommand.Retry("ann"));

    var append = harness.append();

    harness.expectFacts(append, PlanFact.Reopened.class);
    assertThat(append.reopened()).containsExactly(harness.id.value());
    harness.expectSilence();
    harness.commit(append);
    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Done());
    harness.expectOrder("a", new JobCommand.Retry("plan " + harness.id, true));
  }

  @Test
  void goesBackIfItCannotBeOpenedAgainNow() {
    failed();
    harness.archived();
    harness.order(new PlanCommand.Retry("ann"));
    harness.turnDown(harness.append());

    assertThat(harness.caller.receiveMessage()).isInstanceOf(PlanReply.Unavailable.class);
    harness.partition.expectMessage(new PlanNotice.Gone(harness.id, harness.plan));
  }

  @Test
  void isStoppedWhenItsTimeIsOver() {
    harness.live(withDeadline(draft(step("a")), Duration.ofMinutes(5)));
    harness.nextOrder();
    harness.job("a", new JobCommand.Release());
    harness.state();
    harness.pass(Duration.ofMinutes(5));

    harness.expectFacts(harness.commit(), PlanFact.StopRequested.class);

    harness.applies.expectMessageClass(ApplyRunner.Stop.class);
    harness.expectOrder(
        "a", new JobCommand.Cancel("its deadline of 5m has passed", "plan " + harness.id));
    harness.job("a", new JobCommand.Cancel("deadline", "plan"));
    harness.commit();
    assertThat(harness.durable().status()).isEqualTo(PlanStatus.FAILED);
  }

  @ParameterizedTest(name = "by {0} minutes")
  @ValueSource(longs = {60, -60})
  void hasNeitherLessNorMoreTimeIfTheClockIsSet(long minutes) {
    harness.live(withDeadline(draft(step("a")), Duration.ofMinutes(5)));
    harness.nextOrder();
    harness.state();
    harness.clock.move(Duration.ofMinutes(minutes));
    harness.elapse(Duration.ofMinutes(4));
    harness.ledger.expectNoMessage(Duration.ofMillis(10));

    harness.elapse(Duration.ofMinutes(1));

    harness.expectFacts(harness.commit(), PlanFact.StopRequested.class);
  }

  @Test
  void isGivenAMinuteAfterARestartIfItsTimeSeemsToBeOver() {
    harness.live(withDeadline(draft(step("a")), Duration.ofMinutes(5)));
    harness.nextOrder();
    harness.state();
    harness.clock.move(Duration.ofHours(1));
    harness.again();
    harness.nextOrder();
    harness.state();
    harness.elapse(Duration.ofSeconds(59));
    harness.ledger.expectNoMessage(Duration.ofMillis(10));

    harness.elapse(Duration.ofSeconds(1));

    harness.expectFacts(harness.commit(), PlanFact.StopRequested.class);
  }

  @Test
  void hasNoMoreThanAllOfItsTimeAfterARestartWithTheClockSetBack() {
    harness.live(withDeadline(draft(step("a")), Duration.ofMinutes(5)));
    harness.nextOrder();
    harness.state();
    harness.clock.move(Duration.ofHours(-1));
    harness.again();
    harness.nextOrder();
    harness.state();
    harness.elapse(Duration.ofMinutes(4));
    harness.ledger.expectNoMessage(Duration.ofMillis(10));

    harness.elapse(Duration.ofMinutes(1));

    harness.expectFacts(harness.commit(), PlanFact.StopRequested.class);
  }

  @Test
  void mayHaveADeadlineThatNoTimerCanWaitFor() {
    var months = PlanRules.LONGEST;
    harness.live(withDeadline(draft(step("a")), months));
    harness.nextOrder();
    harness.state();
    harness.nanos.addAndGet(months.toNanos());
    actors.pass(Duration.ofHours(1));

    harness.expectFacts(harness.commit(), PlanFact.StopRequested.class);
  }

  @Test
  void hasItsTimeAnewWhenItIsOpenedAgain() {
    harness.live(withDeadline(draft(step("a")), Duration.ofMinutes(5)));
    harness.nextOrder();
    harness.fail("a");
    harness.commit();
    harness.clock.move(Duration.ofHours(1));
    harness.archived();
    harness.order(new PlanCommand.Retry("ann"));
    harness.commit();
    harness.answer();
    harness.letAdvance();
    harness.elapse(Duration.ofMinutes(4));
    harness.ledger.expectNoMessage(Duration.ofMillis(10));

    harness.elapse(Duration.ofMinutes(1));

    harness.expectFacts(harness.commit(), PlanFact.StopRequested.class);
  }

  @Test
  void countsTheTimeOfAChildFromItsOwnStart() {
    harness.live(
        draft(PlanSamples.child("x", withDeadline(draft(step("y")), Duration.ofMinutes(5)))));
    harness.partition.expectMessageClass(PlanNotice.ToPlan.class);
    var child = harness.child("x");
    child.state();
    child.pass(Duration.ofHours(1));
    child.expectSilence();
    child.order(new PlanCommand.Release());
    child.commit();
    child.answer();
    child.letAdvance();
    child.pass(Duration.ofMinutes(5));

    child.expectFacts(child.commit(), PlanFact.StopRequested.class);
  }

  /// The watcher that has waited longest has most likely given up.
  @Test
  void turnsAwayWhoHasWaitedLongestIfTooManyDo() {
    harness.live(draft(step("a")));
    harness.nextOrder();
    var last = actors.probe(PlanReply.class);
    harness.plan.tell(new Plan.Watch(harness.caller.ref()));
    for (int i = 1; i < JobWatchers.MOST; i++) {
      harness.plan.tell(new Plan.Watch(actors.system().ignoreRef()));
    }
    harness.expectSilence();

    harness.plan.tell(new Plan.Watch(last.ref()));

    assertThat(harness.caller.expectMessageClass(PlanReply.Unavailable.class).reason())
        .contains("too many wait for plan");
    harness.succeed("a");
    harness.commit();
    assertThat(last.expectMessageClass(PlanReply.Current.class).state().isOver()).isTrue();
  }
}
