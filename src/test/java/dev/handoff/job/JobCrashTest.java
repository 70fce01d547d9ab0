package dev.handoff.job;

import static dev.handoff.job.Samples.ID;
import static dev.handoff.job.Samples.RESULT;
import static dev.handoff.job.Samples.report;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.ledger.Ledger;
import dev.handoff.testing.Actors;
import dev.handoff.testing.BrokenRef;
import dev.handoff.testing.Unloggable;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A job whose actor fails")
class JobCrashTest {

  @RegisterExtension static final Actors actors = Actors.inManualTime();

  private final JobHarness harness = new JobHarness(actors);

  /// The state of an append that the job cannot make anything of.
  private void fail(Ledger.Append append) {
    append.sender().tell(new Ledger.Committed(null, List.of()));
  }

  @Test
  void saysSoToItsPartition() {
    harness.running(Samples.spec());
    harness.order(Samples.cancel());
    fail(harness.append());

    var crashed = harness.partition.expectMessageClass(PartitionNotice.Crashed.class);

    assertThat(crashed.job()).isEqualTo(ID);
    assertThat(crashed.actor()).isEqualTo(harness.job);
    assertThat(crashed.cause()).contains("NullPointerException");
  }

  @Test
  void tellsWhoeverWasWaitingForItsFactsThatTheirFateIsOpen() {
    harness.running(Samples.spec());
    harness.order(Samples.cancel());
    fail(harness.append());

    assertThat(harness.caller.receiveMessage()).isInstanceOf(JobReply.Unavailable.class);
  }

  @Test
  void doesNotGiveBackAWorkerWhoseClaimMayBeDurable() {
    harness.live(Samples.queued());
    harness.dispatcher.receiveMessage();
    harness.job.tell(new Job.Claim(harness.credit));
    fail(harness.append());

    harness.partition.expectMessageClass(PartitionNotice.Crashed.class);
    harness.dispatcher.expectNoMessage(Duration.ofMillis(10));
  }

  @Test
  void turnsAwayTheMessageThatItFailedAt() {
    harness.running(Samples.spec());
    harness.clock.breakDown();

    harness.order(Samples.cancel());

    assertThat(harness.caller.receiveMessage()).isInstanceOf(JobReply.Unavailable.class);
    assertThat(harness.partition.expectMessageClass(PartitionNotice.Crashed.class).cause())
        .contains("the clock is broken");
  }

  @Test
  void saysSoAlsoWhenItFailsAtOnceAndTellsWhoeverWaits() {
    harness.clock.breakDown();
    harness.reopened(Samples.failed());

    harness.partition.expectMessageClass(PartitionNotice.Crashed.class);
    assertThat(harness.caller.receiveMessage()).isInstanceOf(JobReply.Unavailable.class);
  }

  @Test
  void failsAtWhatWaitedToo() {
    harness.running(Samples.spec());
    harness.order(new JobCommand.Checkpoint(1, Json.of("1")));
    var append = harness.append();
    harness.order(Samples.cancel());
    harness.state();
    harness.clock.breakDown();
    harness.commit(append);

    harness.caller.expectMessage(new JobReply.Recorded(ID, 1));
    assertThat(harness.caller.receiveMessage()).isInstanceOf(JobReply.Unavailable.class);
    harness.partition.expectMessageClass(PartitionNotice.Crashed.class);
  }

  @Test
  void turnsAwayWhoeverWaits() {
    harness.running(Samples.spec());
    harness.order(Samples.cancel());
    var append = harness.append();
    harness.order(report(1, new AttemptReport.Returned(RESULT)));
    harness.job.tell(new Job.SameKey(Samples.spec(), harness.submitter.ref()));
    harness.job.tell(new Job.Claim(harness.other));
    fail(append);

    assertThat(harness.caller.receiveSeveralMessages(2))
        .allMatch(JobReply.Unavailable.class::isInstance);
    assertThat(harness.submitter.receiveMessage()).isInstanceOf(SubmitReply.Unavailable.class);
    harness.dispatcher.expectMessage(new JobNotice.Declined(ID, harness.other));
  }

  @Test
  void turnsAwayWhoComesLater() {
    harness.running(Samples.spec());
    harness.order(Samples.cancel());
    fail(harness.append());
    harness.partition.expectMessageClass(PartitionNotice.Crashed.class);
    harness.caller.receiveMessage();

    harness.job.tell(new Job.Claim(harness.other));
    harness.job.tell(new Job.Get(harness.caller.ref()));

    harness.dispatcher.expectMessage(new JobNotice.Declined(ID, harness.other));
    assertThat(harness.caller.receiveMessage())
        .isInstanceOfSatisfying(
            JobReply.Unavailable.class,
            reply -> assertThat(reply.reason()).contains("failed and starts anew"));
    harness.job.tell(Job.Retire.INSTANCE);
    harness.partition.expectTerminated(harness.job, Duration.ofSeconds(10));
  }

  @Test
  void isMadeAnewFromWhatTheLedgerHolds() {
    harness.live(Samples.running());

    assertThat(harness.dispatcher.receiveMessage())
        .isEqualTo(new JobNotice.Underway(ID, 1, "images", Samples.WORKER, harness.job));
    harness.job.tell(new Job.Restore(harness.credit));
    harness.order(Samples.cancel());
    harness.commit();
    assertThat(harness.worker.expectMessageClass(WorkerOrder.Stop.class).credit()).isEqualTo(41);
  }

  @Test
  void hasItsWorkerRunAgainWhatItWasClaimedFor() {
    harness.live(Samples.claimed());
    assertThat(harness.dispatcher.receiveMessage()).isInstanceOf(JobNotice.Underway.class);

    harness.job.tell(new Job.Restore(harness.credit));

    assertThat(harness.worker.expectMessageClass(WorkerOrder.Run.class).attempt()).isEqualTo(1);
  }

  @Test
  void stopsItsAttemptAgainIfThatWasItsLastWord() {
    for (var stopping :
        List.of(Samples.cancelling(), Samples.after(Samples.running(), Samples.timeOut(1)))) {
      var anew = new JobHarness(actors).live(stopping);
      assertThat(anew.dispatcher.receiveMessage()).isInstanceOf(JobNotice.Underway.class);

      anew.job.tell(new Job.Restore(anew.credit));

      var stop = anew.worker.expectMessageClass(WorkerOrder.Stop.class);
      assertThat(stop.elapsed()).isLessThan(Duration.ofSeconds(30));
    }
  }

  @Test
  void takesNoCreditOfAnotherAttempt() {
    harness.live(Samples.claimed());
    harness.job.tell(new Job.Restore(harness.other));
    harness.job.tell(new Job.RunAgain(42));
    harness.job.tell(new Job.RunAgain(41));
    harness.state();

    harness.worker.expectNoMessage(Duration.ofMillis(10));
  }

  @Test
  void sayingWhereItStandsWaitsForAWorkerOrForItsPlan() {
    var queued = new JobHarness(actors).live(Samples.queued());
    assertThat(queued.dispatcher.receiveMessage()).isInstanceOf(JobNotice.Ready.class);

    var waiting = new JobHarness(actors).live(Samples.waiting());
    waiting.state();
    waiting.expectSilence();
  }

  @Test
  void isGivenUpWithItsCause() {
    harness.live(Samples.running());
    harness.order(new JobCommand.GiveUp(Samples.ERROR));

    harness.commit();

    assertThat(harness.state().phase())
        .isEqualTo(new Phase.Failed(EndCause.FAILED, Samples.ERROR, Samples.NOW));
  }

  @Test
  void tellsWhoeverWaitsForItsEndToAskAgain() {
    harness.running(Samples.spec());
    var watcher = actors.probe(JobReply.class);
    harness.job.tell(new Job.Watch(watcher.ref()));
    harness.clock.breakDown();

    harness.order(Samples.cancel());

    watcher.expectMessageClass(JobReply.Unavailable.class);
    harness.caller.expectMessageClass(JobReply.Unavailable.class);
  }

  @Test
  void tellsWhoeverWaitsAlsoIfItCannotBeLogged() {
    harness.running(Samples.spec());
    harness.clock.breakDown(new Unloggable());

    harness.order(Samples.cancel());

    harness.caller.expectMessageClass(JobReply.Unavailable.class);
    assertThat(harness.partition.expectMessageClass(PartitionNotice.Crashed.class).cause())
        .contains("cannot be logged");
  }

  /// The first to be told throws an Error: the others are told all the same, and so is that one.
  @Test
  void goesOnTellingWhoeverWaitsAfterAnErrorInThat() {
    var broken = BrokenRef.<JobReply>once(actors.system());
    harness.running(Samples.spec());
    harness.job.tell(new Job.Do(Samples.cancel(), broken.typed()));
    var append = harness.append();
    harness.order(Samples.cancel());

    fail(append);

    assertThat(broken.next()).isInstanceOf(JobReply.Unavailable.class);
    harness.caller.expectMessageClass(JobReply.Unavailable.class);
    harness.partition.expectMessageClass(PartitionNotice.Crashed.class);
    harness.partition.expectMessageClass(PartitionNotice.Crashed.class);
  }

  @Test
  void tellsWhoeverWasWaitingForFactsThatAreDurableIfItFailsAtTheirAnswer() {
    var broken = BrokenRef.<JobReply>once(actors.system());
    harness.running(Samples.spec());
    harness.job.tell(new Job.Do(Samples.cancel(), broken.typed()));

    harness.commit();

    assertThat(broken.next()).isInstanceOf(JobReply.Unavailable.class);
    harness.partition.expectMessageClass(PartitionNotice.Crashed.class);
  }

  @Test
  void tellsItsSubmitterIfItFailsAtTheAnswer() {
    var broken = BrokenRef.<SubmitReply>once(actors.system());
    harness.submittedBy(broken.typed());

    harness.commit();

    assertThat(broken.next()).isInstanceOf(SubmitReply.Unknown.class);
    harness.partition.expectMessageClass(PartitionNotice.Crashed.class);
  }

  @Test
  void tellsWhoeverWasWaitingIfItFailsAtSayingThatTheStoreIsAway() {
    var broken = BrokenRef.<JobReply>once(actors.system());
    harness.running(Samples.spec());
    harness.job.tell(new Job.Do(Samples.cancel(), broken.typed()));

    harness.turnDown(harness.append());

    assertThat(broken.next()).isInstanceOf(JobReply.Unavailable.class);
    harness.partition.expectMessageClass(PartitionNotice.Crashed.class);
  }

  @Test
  void saysThatNobodyKnowsWhoWaitsIfItCannotTellThem() {
    var broken = BrokenRef.<JobReply>always(actors.system());
    harness.running(Samples.spec());
    harness.job.tell(new Job.Do(Samples.cancel(), broken.typed()));

    fail(harness.append());

    harness.partition.expectMessageClass(PartitionNotice.Crashed.class);
    harness.partition.expectMessageClass(PartitionNotice.Crashed.class);
    harness.partition.expectMessage(PartitionNotice.Disorder.INSTANCE);
    harness.partition.expectTerminated(harness.job);
  }

  @Test
  void saysThatNobodyKnowsWhoWaitsIfItCannotTellWhoComesLater() {
    var broken = BrokenRef.<JobReply>always(actors.system());
    harness.running(Samples.spec());
    harness.clock.breakDown();
    harness.order(Samples.cancel());
    harness.partition.expectMessageClass(PartitionNotice.Crashed.class);

    harness.job.tell(new Job.Get(broken.typed()));

    harness.partition.expectMessage(PartitionNotice.Disorder.INSTANCE);
    harness.partition.expectTerminated(harness.job);
  }

  @Test
  void tellsItsSubmitterAfterAnErrorInThatIfItFailsAtOnce() {
    var broken = BrokenRef.<SubmitReply>once(actors.system());
    harness.clock.breakDown();

    harness.submittedBy(broken.typed());

    assertThat(broken.next()).isInstanceOf(SubmitReply.Unknown.class);
    harness.partition.expectMessageClass(PartitionNotice.Crashed.class);
    harness.job.tell(new Job.Claim(harness.other));
    harness.dispatcher.expectMessage(new JobNotice.Declined(ID, harness.other));
  }

  /// It was not accepted, and waits to be retired.
  @Test
  void answersWhatItFailsAtWhenItHasDeparted() {
    var ended = Samples.failed();
    harness.reopened(ended);
    harness.refuse(harness.append());
    harness.caller.expectMessageClass(JobReply.Refused.class);
    harness.partition.expectMessageClass(PartitionNotice.Gone.class);
    harness.clock.breakDown();

    harness.order(Samples.cancel());

    harness.caller.expectMessageClass(JobReply.Unavailable.class);
  }
}
