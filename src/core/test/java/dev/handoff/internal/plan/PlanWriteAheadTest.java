package dev.handoff.internal.plan;

import static dev.handoff.internal.plan.PlanSamples.draft;
import static dev.handoff.internal.plan.PlanSamples.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.job.JobCommand;
import dev.handoff.internal.job.JobFact;
import dev.handoff.internal.ledger.Ledger;
import dev.handoff.internal.plan.change.FileEdit;
import dev.handoff.plan.ContentRef;
import dev.handoff.plan.PlanStatus;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A plan that writes")
class PlanWriteAheadTest {

  /// Without serialization, so that content that cannot be encoded reaches the plan.
  @RegisterExtension
  static final TestActors actors =
      TestActors.inManualTime().with("pekko.actor.serialize-messages = off");

  private final PlanHarness harness = new PlanHarness(actors);

  private PlanHarness live(PlanDraft draft) {
    harness.live(draft);
    harness.state();
    return harness;
  }

  private static PlanCommand start(String label) {
    return new PlanCommand.StartChangeset(label, "ann");
  }

  @Test
  void isAcceptedWithAllOfItsStepsByOneAppendAndNotBefore() {
    harness.submitted(draft(step("a"), PlanSamples.child("b", draft(step("c")), "a")));
    var append = harness.append();
    for (var probe : List.of(harness.partition, harness.caller)) {
      probe.expectNoMessage(Duration.ofMillis(10));
    }
    harness.expectFacts(
        append,
        PlanFact.Submitted.class,
        JobFact.Submitted.class,
        PlanFact.Submitted.class,
        JobFact.Submitted.class);

    harness.commit(append);

    var born = harness.partition.expectMessageClass(PlanNotice.Born.class);
    assertThat(born.jobs()).hasSize(2).allMatch(job -> job.spec().isStep());
    assertThat(born.plans()).hasSize(1);
    harness.caller.expectMessage(new PlanReply.Accepted(harness.id));
    harness.expectOrder("a", new JobCommand.Release());
    harness.expectSilence();
  }

  @Test
  void isRefusedAndForgottenIfTheStoreCannotKeepIt() {
    harness.submitted(draft(step("a")));
    harness.refuse(harness.append());

    harness.caller.expectMessage(new PlanReply.Refused(harness.id, "it has a stain"));
    harness.partition.expectMessage(new PlanNotice.Gone(harness.id, harness.plan));
    harness.plan.tell(Plan.Retire.INSTANCE);
    harness.partition.expectTerminated(harness.plan);
  }

  @Test
  void isNotAcceptedWhileTheStoreIsAway() {
    harness.submitted(draft(step("a")));
    harness.turnDown(harness.append());

    assertThat(harness.caller.receiveMessage()).isInstanceOf(PlanReply.Unavailable.class);
    harness.partition.expectMessageClass(PlanNotice.Gone.class);
  }

  @Test
  void isRefusedIfItCannotBeEncoded() {
    harness.submitted(draft(step("lone \uD800 surrogate")));

    assertThat(harness.caller.expectMessageClass(PlanReply.Refused.class).reason())
        .startsWith("cannot be stored");
    harness.partition.expectMessageClass(PlanNotice.Gone.class);
  }

  @Test
  void answersWhoeverSubmitsItAlsoIfItFailsAtThat() {
    harness.clock.breakDown();
    harness.submitted(draft(step("a")));

    assertThat(harness.caller.expectMessageClass(PlanReply.Unavailable.class).reason())
        .contains("the clock is broken");
    harness.partition.expectMessageClass(PlanNotice.Crashed.class);
  }

  @Test
  void answersNobodyBeforeItsFactsAreDurable() {
    live(draft(step("a")));
    harness.nextOrder();
    harness.order(start("mine"));
    var append = harness.append();
    harness.expectSilence();
    assertThat(harness.state().book().open()).isEmpty();

    harness.commit(append);

    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Started("c1"));
    assertThat(harness.state().book().open()).hasSize(1);
  }

  @Test
  void writesAtOnceWhatHasWaitedTogether() {
    live(draft(step("a")));
    harness.order(start("first"));
    var first = harness.append();
    harness.order(start("second"));
    harness.order(new PlanCommand.Record(null, List.of(PlanSamples.change("a.txt"))));
    harness.order(new PlanCommand.Record("c1", List.of(PlanSamples.change("b.txt"))));
    harness.order(new PlanCommand.Record("c7", List.of(PlanSamples.change("b.txt"))));
    harness.state();
    harness.commit(first);

    var together = harness.commit();

    harness.expectFacts(
        together,
        PlanFact.ChangesetStarted.class,
        PlanFact.ChangesRecorded.class,
        PlanFact.ChangesRecorded.class);
    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Started("c1"));
    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Started("c2"));
    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Recorded("c2", 1));
    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Recorded("c1", 1));
    assertThat(harness.answer()).isEqualTo(new PlanAnswer.UnknownChangeset("c7"));
  }

  @Test
  void hasOnlyTheOneRefusedThatTheStoreCannotKeep() {
    live(draft(step("a")));
    harness.order(start("first"));
    var first = harness.append();
    harness.order(start("second"));
    harness.order(start("bad"));
    harness.order(start("third"));
    harness.state();
    harness.commit(first);
    harness.refuse(harness.append());

    harness.commit();
    harness.refuse(harness.append());
    harness.commit();

    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Started("c1"));
    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Started("c2"));
    harness.caller.expectMessage(new PlanReply.Refused(harness.id, "it has a stain"));
    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Started("c3"));
    assertThat(harness.state().book().open()).extracting(OpenChangeset::label).contains("third");
  }

  @Test
  void hasOnlyTheOneRefusedThatCannotBeEncoded() {
    live(draft(step("a")));
    harness.order(start("first"));
    var first = harness.append();
    var lone = new FileEdit("\uD800", null, new ContentRef("0".repeat(64), 1));
    harness.order(new PlanCommand.Record("c1", List.of(lone)));
    harness.order(new PlanCommand.Record("c1", List.of(PlanSamples.change("b.txt"))));
    harness.state();
    harness.commit(first);

    harness.commit();

    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Started("c1"));
    assertThat(harness.caller.expectMessageClass(PlanReply.Refused.class).reason())
        .startsWith("cannot be stored");
    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Recorded("c1", 1));
  }

  @Test
  void tellsWhoeverAskedThatTheStoreIsAway() {
    live(draft(step("a")));
    harness.order(start("first"));
    harness.turnDown(harness.append());

    harness.caller.expectMessage(
        new PlanReply.Unavailable(harness.id, "the store is away", Duration.ofSeconds(7)));
    assertThat(harness.state().book().open()).isEmpty();
    harness.order(start("again"));
    harness.commit();
    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Started("c1"));
  }

  @Test
  void triesAgainWhatItHasAskedItself() {
    live(draft(step("a")));
    harness.succeed("a");
    harness.turnDown(harness.append());
    harness.ledger.expectNoMessage(Duration.ofMillis(10));

    actors.pass(Duration.ofSeconds(7));

    harness.expectFacts(harness.commit(), PlanFact.Ended.class);
    assertThat(harness.durable().status()).isEqualTo(PlanStatus.SUCCEEDED);
  }

  @Test
  void endsAlsoIfItCouldEndWhileSomethingElseWasTurnedDown() {
    live(draft(step("a")));
    harness.order(start("mine"));
    var append = harness.append();
    harness.succeed("a");
    harness.state();

    harness.turnDown(append);

    harness.caller.expectMessageClass(PlanReply.Unavailable.class);
    harness.expectFacts(harness.commit(), PlanFact.Ended.class);
  }

  @Test
  void endsAlsoIfItCouldEndWhileSomethingElseWasRefused() {
    live(draft(step("a")));
    harness.order(start("mine"));
    var append = harness.append();
    harness.succeed("a");
    harness.state();

    harness.refuse(append);

    harness.caller.expectMessageClass(PlanReply.Refused.class);
    harness.expectFacts(harness.commit(), PlanFact.Ended.class);
  }

  @Test
  void refusesMoreThanItHasRoomFor() {
    var small = new PlanHarness(actors, 2).live(draft(step("a")));
    small.order(start("first"));
    var first = small.append();
    for (int i = 0; i < 3; i++) {
      small.order(start("waiting"));
    }

    assertThat(small.caller.expectMessageClass(PlanReply.Unavailable.class).reason())
        .contains("too many commands wait");
    small.commit(first);
    small.commit();
    assertThat(small.caller.receiveSeveralMessages(3))
        .allMatch(PlanReply.Answered.class::isInstance);
  }

  @Test
  void takesNoMoreAtOnceThanTheLedgerDoes() {
    var large = new PlanHarness(actors, 10_000).live(draft(step("a")));
    large.order(start("first"));
    var first = large.append();
    for (int i = 0; i < 5; i++) {
      var many = java.util.Collections.nCopies(1_000, PlanSamples.change("a.txt"));
      large.order(new PlanCommand.Record("c1", many));
    }
    large.state();
    large.commit(first);

    assertThat(large.commit().facts()).hasSize(3);
    assertThat(large.commit().facts()).hasSize(2);
  }

  @Test
  void endsWithItsRowOfHistoryInTheSameAppend() {
    live(draft(step("a")));
    harness.plan.tell(new Plan.Watch(harness.caller.ref()));
    harness.succeed("a");

    var append = harness.append();

    assertThat(append.ended()).hasSize(1);
    assertThat(append.ended().getFirst().status()).isEqualTo("plan-succeeded");
    harness.caller.expectNoMessage(Duration.ofMillis(10));
    harness.commit(append);
    var seen = harness.caller.expectMessageClass(PlanReply.Current.class).state();
    assertThat(seen).isEqualTo(harness.durable());
    assertThat(seen.status()).isEqualTo(PlanStatus.SUCCEEDED);
  }

  @Test
  void hasInHistoryWhatTheLedgerMadeOfIt() throws java.io.IOException {
    live(draft(step("a")));
    harness.succeed("a");
    Ledger.Append append = harness.commit();

    var row = append.ended().getFirst();

    assertThat(PlanArchive.read(row, PlanSamples.CODEC)).isEqualTo(harness.durable());
  }
}
