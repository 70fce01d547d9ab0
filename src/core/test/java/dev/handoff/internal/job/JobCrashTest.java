package dev.handoff.internal.job;

import static dev.handoff.internal.job.JobSituations.ID;
import static dev.handoff.internal.job.JobSituations.RESULT;
import static dev.handoff.internal.job.JobSituations.report;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Json;
import dev.handoff.internal.ledger.Ledger;
import dev.handoff.testing.BrokenRef;
import dev.handoff.testing.TestActors;
import dev.handoff.testing.UnloggableFailure;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A job whose actor fails")
class JobCrashTest {

  @RegisterExtension static final TestActors actors = TestActors.inManualTime();

  private final JobHarness harness = new JobHarness(actors);

  /// Answers an append with a state that makes the job crash.
  private void fail(Ledger.Append append) {
    append.sender().tell(new Ledger.Committed(null, List.of()));
  }

  @Test
  void saysSoToItsPartition() {
    harness.running(JobSituations.spec());
    harness.order(JobSituations.cancel());
    fail(harness.append());

    var crashed = harness.partition.expectMessageClass(PartitionNotice.Crashed.class);

    assertThat(crashed.job()).isEqualTo(ID);
    assertThat(crashed.actor()).isEqualTo(harness.job);
    assertThat(crashed.cause()).contains("NullPointerException");
  }

  @Test
  void tellsWhoeverWasWaitingForItsFactsThatTheirFateIsOpen() {
    harness.running(JobSituations.spec());
    harness.order(JobSituations.cancel());
    fail(harness.append());

    assertThat(harness.caller.receiveMessage()).isInstanceOf(JobReply.Unavailable.class);
  }

  @Test
  void doesNotGiveBackAWorkerWhoseClaimMayBeDurable() {
    harness.live(JobSituations.queued());
    harness.dispatcher.receiveMessage();
    harness.job.tell(new Job.Claim(harness.credit));
    fail(harness.append());

    harness.partition.expectMessageClass(PartitionNotice.Crashed.class);
    harness.dispatcher.expectNoMessage(Duration.ofMillis(10));
  }

  @Test
  void turnsAwayTheMessageThatItFailedAt() {
    harness.running(JobSituations.spec());
    harness.clock.breakDown();

    harness.order(JobSituations.cancel());

    assertThat(harness.caller.receiveMessage()).isInstanceOf(JobReply.Unavailable.class);
    assertThat(harness.partition.expectMessageClass(PartitionNotice.Crashed.class).cause())
        .contains("the clock is broken");
  }

  @Test
  void saysSoAlsoWhenItFailsAtOnceAndTellsWhoeverWaits() {
    harness.clock.breakDown();
    harness.reopened(JobSituations.failed());

    harness.partition.expectMessageClass(PartitionNotice.Crashed.class);
    assertThat(harness.caller.receiveMessage()).isInstanceOf(JobReply.Unavailable.class);
  }

  @Test
  void failsAtWhatWaitedToo() {
    harness.running(JobSituations.spec());
    harness.order(new JobCommand.Checkpoint(1, Json.of("1")));
    var append = harness.append();
    harness.order(JobSituations.cancel());
    harness.state();
    harness.clock.breakDown();
    harness.commit(append);

    harness.caller.expectMessage(new ReportReply.Recorded(ID, 1));
    assertThat(harness.caller.receiveMessage()).isInstanceOf(JobReply.Unavailable.class);
    harness.partition.expectMessageClass(PartitionNotice.Crashed.class);
  }

  @Test
  void turnsAwayWhoeverWaits() {
    harness.running(JobSituations.spec());
    harness.order(JobSituations.cancel());
    var append = harness.append();
    harness.order(report(1, new AttemptReport.Returned(RESULT)));
    harness.job.tell(new Job.SameKey(JobSituations.spec(), harness.submitter.ref()));
    harness.job.tell(new Job.Claim(harness.other));
    fail(append);

    harness.caller.expectMessageClass(JobReply.Unavailable.class);
    harness.caller.expectMessageClass(ReportReply.Unavailable.class);
    assertThat(harness.submitter.receiveMessage()).isInstanceOf(SubmitReply.Unavailable.class);
    harness.dispatcher.expectMessage(new JobNotice.Declined(ID, harness.other));
  }

  @Test
  void turnsAwayWhoComesLater() {
    harness.running(JobSituations.spec());
    harness.order(JobSituations.cancel());
    fail(harness.append());
    harness.partition.expectMessageClass(PartitionNotice.Crashed.class);
    harness.caller.receiveMessage();

    harness.job.tell(new Job.Claim(harness.other));
    harness.job.tell(new Job.Get(harness.caller.ref().narrow()));

    harness.dispatcher.expectMessage(new JobNotice.Declined(ID, harness.other));
    assertThat(harness.caller.receiveMessage())
        .isInstanceOfSatisfying(
            StateReply.Unavailable.class,
            reply -> assertThat(reply.reason()).contains("failed and starts anew"));
    harness.job.tell(Job.Retire.INSTANCE);
    harness.partition.expectTerminated(harness.job, Duration.ofSeconds(10));
  }

  @Test
  void isMadeAnewFromWhatTheLedgerHolds() {
    harness.live(JobSituations.running());

    assertThat(harness.dispatcher.receiveMessage())
        .isEqualTo(new JobNotice.Underway(ID, 1, "images", JobSituations.WORKER, harness.job));
    harness.job.tell(new Job.Restore(harness.credit));
    harness.order(JobSituations.cancel());
    harness.commit();
    assertThat(harness.worker.expectMessageClass(WorkerOrder.Stop.class).credit()).isEqualTo(41);
  }

  @Test
  void hasItsWorkerRunAgainWhatItWasClaimedFor() {
    harness.live(JobSituations.claimed());
    assertThat(harness.dispatcher.receiveMessage()).isInstanceOf(JobNotice.Underway.class);

    harness.job.tell(new Job.Restore(harness.credit));

    assertThat(harness.worker.expectMessageClass(WorkerOrder.Run.class).attempt()).isEqualTo(1);
  }

  @Test
  void stopsItsAttemptAgainIfThatWasItsLastWord() {
    for (var stopping :
        List.of(
            JobSituations.cancelling(),
            JobSituations.after(JobSituations.running(), JobSituations.timeOut(1)))) {
      var anew = new JobHarness(actors).live(stopping);
      assertThat(anew.dispatcher.receiveMessage()).isInstanceOf(JobNotice.Underway.class);

      anew.job.tell(new Job.Restore(anew.credit));

      var stop = anew.worker.expectMessageClass(WorkerOrder.Stop.class);
      assertThat(stop.elapsed()).isLessThan(Duration.ofSeconds(30));
    }
  }

  @Test
  void takesNoCreditOfAnotherAttempt() {
    harness.live(JobSituations.claimed());
    harness.job.tell(new Job.Restore(harness.other));
    harness.job.tell(new Job.RunAgain(42));
    harness.job.tell(new Job.RunAgain(41));
    harness.state();

    harness.worker.expectNoMessage(Duration.ofMillis(10));
  }

  @Test
  void sayingWhereItStandsWaitsForAWorkerOrForItsPlan() {
    var queued = new JobHarness(actors).live(JobSituations.queued());
    assertThat(queued.dispatcher.receiveMessage()).isInstanceOf(JobNotice.Ready.class);

    var waiting = new JobHarness(actors).live(JobSituations.waiting());
    waiting.state();
    waiting.expectSilence();
  }

  @Test
  void isGivenUpWithItsCause() {
    harness.live(JobSituations.running());
    harness.order(new JobCommand.GiveUp(JobSituations.ERROR));

    harness.commit();

    assertThat(harness.state().phase())
        .isEqualTo(new JobPhase.Failed(EndCause.FAILED, JobSituations.ERROR, JobSituations.NOW));
  }

  @Test
  void tellsWhoeverWaitsForItsEndToAskAgain() {
    harness.running(JobSituations.spec());
    var watcher = actors.probe(WatchReply.class);
    harness.job.tell(new Job.Watch(watcher.ref()));
    harness.clock.breakDown();

    harness.order(JobSituations.cancel());

    watcher.expectMessageClass(WatchReply.Unavailable.class);
    harness.caller.expectMessageClass(JobReply.Unavailable.class);
  }

  @Test
  void tellsWhoeverWaitsAlsoIfItCannotBeLogged() {
    harness.running(JobSituations.spec());
    harness.clock.breakDown(new UnloggableFailure());

    harness.order(JobSituations.cancel());

    harness.caller.expectMessageClass(JobReply.Unavailable.class);
    assertThat(harness.partition.expectMessageClass(PartitionNotice.Crashed.class).cause())
        .contains("cannot be logged");
  }

  /// Telling the first requester throws an `Error`; all requesters, including the first, get an
  /// answer.
  @Test
  void goesOnTellingWhoeverWaitsAfterAnErrorInThat() {
    var broken = BrokenRef.<JobReply>once(actors.system());
    harness.running(JobSituations.spec());
    harness.job.tell(new Job.Do(JobSituations.cancel(), broken.typed()));
    var append = harness.append();
    harness.order(JobSituations.cancel());

    fail(append);

    assertThat(broken.next()).isInstanceOf(JobReply.Unavailable.class);
    harness.caller.expectMessageClass(JobReply.Unavailable.class);
    harness.partition.expectMessageClass(PartitionNotice.Crashed.class);
    harness.partition.expectMessageClass(PartitionNotice.Crashed.class);
  }

  @Test
  void tellsWhoeverWasWaitingForFactsThatAreDurableIfItFailsAtTheirAnswer() {
    var broken = BrokenRef.<JobReply>once(actors.system());
    harness.running(JobSituations.spec());
    harness.job.tell(new Job.Do(JobSituations.cancel(), broken.typed()));

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
    harness.running(JobSituations.spec());
    harness.job.tell(new Job.Do(JobSituations.cancel(), broken.typed()));

    harness.turnDown(harness.append());

    assertThat(broken.next()).isInstanceOf(JobReply.Unavailable.class);
    harness.partition.expectMessageClass(PartitionNotice.Crashed.class);
  }

  @Test
  void saysThatNobodyKnowsWhoWaitsIfItCannotTellThem() {
    var broken = BrokenRef.<JobReply>always(actors.system());
    harness.running(JobSituations.spec());
    harness.job.tell(new Job.Do(JobSituations.cancel(), broken.typed()));

    fail(harness.append());

    harness.partition.expectMessageClass(PartitionNotice.Crashed.class);
    harness.partition.expectMessageClass(PartitionNotice.Crashed.class);
    harness.partition.expectMessage(PartitionNotice.Disorder.INSTANCE);
    harness.partition.expectTerminated(harness.job);
  }

  @Test
  void saysThatNobodyKnowsWhoWaitsIfItCannotTellWhoComesLater() {
    var broken = BrokenRef.<StateReply>always(actors.system());
    harness.running(JobSituations.spec());
    harness.clock.breakDown();
    harness.order(JobSituations.cancel());
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

  /// The job was not accepted, and waits to be retired.
  @Test
  void answersWhatItFailsAtWhenItHasDeparted() {
    var ended = JobSituations.failed();
    harness.reopened(ended);
    harness.refuse(harness.append());
    harness.caller.expectMessageClass(JobReply.Refused.class);
    harness.partition.expectMessageClass(PartitionNotice.Gone.class);
    harness.clock.breakDown();

    harness.order(JobSituations.cancel());

    harness.caller.expectMessageClass(JobReply.Unavailable.class);
  }
}
