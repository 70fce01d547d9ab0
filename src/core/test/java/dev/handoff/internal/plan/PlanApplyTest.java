package dev.handoff.internal.plan;

import static dev.handoff.internal.plan.PlanSamples.change;
import static dev.handoff.internal.plan.PlanSamples.draft;
import static dev.handoff.internal.plan.PlanSamples.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.plan.ApplyAnswer;
import dev.handoff.plan.PlanStatus;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.TestActors;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.javadsl.FishingOutcomes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A plan that is applied")
class PlanApplyTest {

  @RegisterExtension static final TestActors actors = TestActors.inManualTime();

  private static final String TARGET = "/srv/site";
  private static final ApplyOutcome WRITTEN =
      new ApplyOutcome.Written(TARGET, List.of(new ApplyAnswer.File("a.txt", "created", 5)));

  private final PlanHarness harness = new PlanHarness(actors);

  @BeforeEach
  void live() {
    harness.live(draft(step("a")));
    harness.nextOrder();
    commitSet(1);
  }

  private void commitSet(int number) {
    harness.order(new PlanCommand.StartChangeset("mine", "ann"));
    harness.commit();
    harness.order(new PlanCommand.Record("c" + number, List.of(change("a.txt"))));
    harness.commit();
    harness.order(new PlanCommand.Close("c" + number));
    BoundedWaits.take(harness.kept).done().complete("b".repeat(64));
    harness.commit();
    harness.caller.receiveSeveralMessages(3);
  }

  private void end() {
    harness.succeed("a");
    harness.expectFacts(harness.commit(), PlanFact.Ended.class);
    harness.partition.expectMessageClass(PlanNotice.Gone.class);
    harness.archived();
  }

  private ApplyRunner.Write begin() {
    harness.order(new PlanCommand.Apply(TARGET));
    harness.commit();
    return harness.applies.expectMessageClass(ApplyRunner.Write.class);
  }

  private void over(ApplyRunner.Write write, ApplyOutcome outcome) {
    write.replyTo().tell(new ApplyRunner.Ended(write.apply().number(), outcome));
  }

  @Test
  void isWrittenWhenThatIsDurableAndSaysSoWhenTheOutcomeIs() {
    harness.order(new PlanCommand.Apply(TARGET));
    var append = harness.append();
    harness.expectFacts(append, PlanFact.ApplyStarted.class);
    harness.expectSilence();
    harness.commit(append);
    var write = harness.applies.expectMessageClass(ApplyRunner.Write.class);
    harness.expectSilence();
    assertThat(write.plan().book().applying()).isEqualTo(write.apply());
    assertThat(write.apply().sets()).isEqualTo(1);

    over(write, WRITTEN);

    var written = harness.append();
    harness.expectFacts(written, PlanFact.ApplyWritten.class);
    harness.expectSilence();
    harness.commit(written);
    harness.caller.expectMessage(new PlanReply.ApplyEnded(harness.id, WRITTEN));
  }

  /// A changeset of a step can come between two callers' changesets that are committed together.
  @Test
  void isWrittenAsTheLedgerHasItAlsoIfAChangesetIsClosedWithIt() {
    harness.order(new PlanCommand.StartChangeset("more", "bob"));
    harness.commit();
    harness.order(new PlanCommand.Record("c2", List.of(change("b.txt"))));
    var recording = harness.append();
    harness.order(new PlanCommand.Close("c2"));
    harness.order(new PlanCommand.Apply(TARGET));
    harness.state();
    harness.commit(recording);
    BoundedWaits.take(harness.kept).done().complete("b".repeat(64));
    var closing = harness.append();
    harness.succeed("a");

    harness.commit(closing);

    harness.expectFacts(closing, PlanFact.ChangesetClosed.class);
    harness.expectFacts(harness.commit(), PlanFact.ApplyStarted.class);
    var apply = harness.applies.expectMessageClass(ApplyRunner.Write.class).apply();
    var chain = harness.durable().book().chain();
    assertThat(apply.sets()).isEqualTo(3);
    assertThat(apply.head()).isEqualTo(chain.get(2).hash());
    assertThat(chain.get(2).id()).isEqualTo("c2");
  }

  @Test
  void isNotAppliedTwiceAtOnce() {
    var write = begin();
    harness.order(new PlanCommand.Apply("/srv/other"));
    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Busy(write.apply()));
    over(write, WRITTEN);
    harness.commit();
    harness.caller.expectMessageClass(PlanReply.ApplyEnded.class);

    commitSet(2);
    assertThat(begin().apply().sets()).isEqualTo(2);
  }

  @Test
  void canBeAppliedAgainAfterAnApplyThatCameToNothing() {
    for (var outcome :
        List.of(
            new ApplyOutcome.Conflicted(TARGET, List.of()),
            new ApplyOutcome.Undone(TARGET, "no room", true))) {
      over(begin(), outcome);
      harness.expectFacts(harness.commit(), PlanFact.ApplyUndone.class);
      harness.caller.expectMessage(new PlanReply.ApplyEnded(harness.id, outcome));
    }
    over(begin(), new ApplyOutcome.Already(TARGET, null));
    harness.expectFacts(harness.commit(), PlanFact.ApplyWritten.class);
    harness.caller.expectMessageClass(PlanReply.ApplyEnded.class);
    var before = harness.durable().book().lastApplied(TARGET).orElseThrow();
    over(begin(), new ApplyOutcome.Already(TARGET, before));
    harness.expectFacts(harness.commit(), PlanFact.ApplyUndone.class);
  }

  @Test
  void doesNotEndBeforeItsApply() {
    var write = begin();
    harness.succeed("a");
    harness.expectSilence();

    over(write, WRITTEN);

    harness.expectFacts(harness.commit(), PlanFact.ApplyWritten.class);
    harness.expectFacts(harness.commit(), PlanFact.Ended.class);
  }

  @Test
  void stopsItsApplyWhenItIsCancelled() {
    var write = begin();
    harness.order(new PlanCommand.Cancel("not needed", "bob"));
    harness.applies.expectNoMessage(java.time.Duration.ofMillis(10));
    harness.commit();

    harness.applies.expectMessage(new ApplyRunner.Stop(harness.id, "not needed"));
    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Done());
    over(write, new ApplyOutcome.Undone(TARGET, "not needed", true));
    harness.expectFacts(harness.commit(), PlanFact.ApplyUndone.class);
  }

  @Test
  void findsOutAfterARestartWhatBecameOfItsApply() {
    var write = begin();
    harness.again();

    var recover = harness.applies.expectMessageClass(ApplyRunner.Recover.class);
    assertThat(recover.apply()).isEqualTo(write.apply());
    recover.replyTo().tell(new ApplyRunner.Ended(recover.apply().number(), WRITTEN));

    harness.expectFacts(harness.commit(), PlanFact.ApplyWritten.class);
    assertThat(harness.durable().book().lastApplied(TARGET)).isPresent();
  }

  @Test
  void tellsWhoeverWaitsThatItIsStuckAndStaysUnderWay() {
    var write = begin();

    write.replyTo().tell(new ApplyRunner.Stuck(1, "the disk is away"));

    assertThat(harness.caller.expectMessageClass(PlanReply.Unavailable.class).reason())
        .contains("neither be finished nor undone: the disk is away; it is tried again");
    harness.order(new PlanCommand.Apply(TARGET));
    assertThat(harness.answer()).isInstanceOf(PlanAnswer.Busy.class);
    over(write, WRITTEN);
    harness.expectFacts(harness.commit(), PlanFact.ApplyWritten.class);
    harness.expectSilence();
  }

  @Test
  void hearsNothingNewFromAnApplyThatIsOverForLong() {
    var write = begin();
    over(write, WRITTEN);
    over(write, new ApplyOutcome.Undone(TARGET, "no room", true));
    harness.commit();

    harness.caller.expectMessage(new PlanReply.ApplyEnded(harness.id, WRITTEN));
    harness.expectSilence();
  }

  @Test
  void comesBackFromHistoryForItAndGoesThereAgain() {
    end();
    harness.order(new PlanCommand.Apply(TARGET));
    var append = harness.append();
    harness.expectFacts(append, PlanFact.Recalled.class, PlanFact.ApplyStarted.class);
    assertThat(append.reopened()).containsExactly(harness.id.value());
    assertThat(append.ended()).isEmpty();
    harness.commit(append);
    assertThat(harness.durable().ended()).isFalse();
    assertThat(harness.durable().status()).isEqualTo(PlanStatus.SUCCEEDED);

    over(harness.applies.expectMessageClass(ApplyRunner.Write.class), WRITTEN);

    harness.expectFacts(harness.commit(), PlanFact.ApplyWritten.class);
    var filed = harness.append();
    harness.expectFacts(filed, PlanFact.Filed.class);
    assertThat(filed.ended()).hasSize(1);
    assertThat(filed.reopened()).isEmpty();
    harness.caller.expectMessage(new PlanReply.ApplyEnded(harness.id, WRITTEN));
    harness.commit(filed);
    harness.partition.expectMessage(new PlanNotice.Gone(harness.id, harness.plan));
    assertThat(harness.durable().ended()).isTrue();
  }

  @Test
  void goesBackToHistoryAfterARestartInBetween() {
    end();
    var write = begin();
    harness.again();
    var recover = harness.applies.expectMessageClass(ApplyRunner.Recover.class);
    assertThat(recover.apply()).isEqualTo(write.apply());
    recover
        .replyTo()
        .tell(new ApplyRunner.Ended(1, new ApplyOutcome.Undone(TARGET, "interrupted", true)));

    harness.expectFacts(harness.commit(), PlanFact.ApplyUndone.class);
    harness.expectFacts(harness.commit(), PlanFact.Filed.class);
  }

  @Test
  void isOpenedAgainFromHistoryOnlyWhileNothingIsWritten() {
    harness.fail("a");
    harness.commit();
    harness.archived();
    var write = begin();
    harness.order(new PlanCommand.Retry("ann"));
    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Busy(write.apply()));
    over(write, WRITTEN);
    harness.commit();
    var filed = harness.append();
    harness.order(new PlanCommand.Retry("ann"));
    harness.state();
    harness.commit(filed);

    var reopened = harness.append();

    harness.expectFacts(reopened, PlanFact.Reopened.class);
    assertThat(reopened.reopened()).containsExactly(harness.id.value());
    harness.commit(reopened);
    assertThat(harness.state().status()).isEqualTo(PlanStatus.RUNNING);
  }

  @Test
  void saysWhatWouldBeDoneWithoutDoingIt() {
    harness.plan.tell(new Plan.Check(TARGET, harness.caller.ref()));

    var check = harness.applies.expectMessageClass(ApplyRunner.Check.class);
    assertThat(check.target()).isEqualTo(TARGET);
    assertThat(check.replyTo()).isEqualTo(harness.caller.ref());
    harness.ledger.expectNoMessage(java.time.Duration.ofMillis(10));
  }

  @Test
  void saysAtOnceIfThereIsNothingToBeDone() {
    var empty = new PlanHarness(actors).live(draft(step("a")));
    empty.plan.tell(new Plan.Check(TARGET, empty.caller.ref()));
    empty.order(new PlanCommand.Apply(TARGET));

    assertThat(empty.answer()).isEqualTo(new PlanAnswer.NothingToApply());
    assertThat(empty.answer()).isEqualTo(new PlanAnswer.NothingToApply());
  }

  @Test
  void answersFromHistoryWithoutComingBack() {
    end();
    harness.plan.tell(new Plan.Check(TARGET, harness.caller.ref()));

    harness.applies.expectMessageClass(ApplyRunner.Check.class);
    harness.partition.fishForMessage(
        BoundedWaits.PATIENCE,
        notice ->
            notice instanceof PlanNotice.Gone
                ? FishingOutcomes.complete()
                : FishingOutcomes.continueAndIgnore());
    harness.plan.tell(Plan.Retire.INSTANCE);
    harness.partition.expectTerminated(harness.plan);
  }
}
