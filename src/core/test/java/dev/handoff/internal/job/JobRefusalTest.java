package dev.handoff.internal.job;

import static dev.handoff.internal.job.JobSituations.ERROR;
import static dev.handoff.internal.job.JobSituations.ID;
import static dev.handoff.internal.job.JobSituations.NOW;
import static dev.handoff.internal.job.JobSituations.RESULT;
import static dev.handoff.internal.job.JobSituations.report;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobStatus;
import dev.handoff.Json;
import dev.handoff.cancel.Cancellation.Cause;
import dev.handoff.internal.ledger.Ledger;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("When its facts are not written, a job")
class JobRefusalTest {

  @RegisterExtension static final TestActors actors = TestActors.inManualTime();

  private static final Duration LATER = Duration.ofSeconds(7);

  private final JobHarness harness = new JobHarness(actors);

  @Test
  void wasNotAcceptedAndTurnsAwayWhatWasOnItsWay() {
    harness.submitted(JobSituations.spec());
    var append = harness.append();
    harness.job.tell(new Job.Get(harness.caller.ref().narrow()));
    harness.job.tell(new Job.Do(JobSituations.cancel(), harness.caller.ref().narrow()));
    harness.refuse(append);

    harness.submitter.expectMessage(new SubmitReply.Refused("it has a stain"));
    harness.partition.expectMessage(new PartitionNotice.Gone(ID, harness.job));
    harness.caller.expectMessage(new StateReply.NotFound(ID));
    harness.caller.expectMessage(new JobReply.NotFound(ID));
    departed();
  }

  @Test
  void wasNotAcceptedWhenTheStoreIsAway() {
    harness.submitted(JobSituations.spec());
    harness.turnDown(harness.append());

    harness.submitter.expectMessage(new SubmitReply.Unavailable("the store is away", LATER));
    harness.partition.expectMessage(new PartitionNotice.Gone(ID, harness.job));
    departed();
  }

  private void departed() {
    harness.job.tell(new Job.Watch(harness.caller.ref().narrow()));
    harness.caller.expectMessage(new WatchReply.NotFound(ID));
    harness.job.tell(new Job.AddChild(1, JobHarness.child(), harness.caller.ref().narrow()));
    harness.caller.expectMessage(new ChildReply.Declined(ID, CommandVerdict.FENCED, List.of()));
    harness.job.tell(new Job.Claim(harness.credit));
    harness.dispatcher.expectMessage(new JobNotice.Declined(ID, harness.credit));
    harness.job.tell(new Job.SameKey(JobSituations.spec(), harness.submitter.ref()));
    assertThat(harness.submitter.receiveMessage()).isInstanceOf(SubmitReply.Unavailable.class);
    harness.job.tell(new Job.RunAgain(41));
    harness.job.tell(Job.Retire.INSTANCE);
    harness.caller.expectTerminated(harness.job, Duration.ofSeconds(10));
  }

  @Test
  void isRefusedWhenItCannotEvenBeEncoded() {
    harness.submitted(JobSpec.of("lone \uD800 surrogate", Json.NULL));

    assertThat(harness.submitter.receiveMessage())
        .isInstanceOfSatisfying(
            SubmitReply.Refused.class,
            refused -> assertThat(refused.reason()).startsWith("cannot be stored"));
    harness.partition.expectMessage(new PartitionNotice.Gone(ID, harness.job));
  }

  @Test
  void staysInHistoryAndPassesOnWhoeverWantsItOpenedAgain() {
    harness.reopened(JobSituations.failed());
    harness.turnDown(harness.append());

    harness.caller.expectMessage(new JobReply.Unavailable(ID, "the store is away", LATER));
    harness.partition.expectMessage(new PartitionNotice.Gone(ID, harness.job));
    harness.job.tell(new Job.Get(harness.caller.ref().narrow()));
    harness.caller.expectMessage(new StateReply.Found(JobSituations.failed()));
    harness.job.tell(new Job.Watch(harness.caller.ref().narrow()));
    harness.caller.expectMessage(new WatchReply.Ended(JobSituations.failed()));
    harness.order(JobSituations.cancel());
    harness.caller.expectMessage(new JobReply.AlreadyFinished(JobSituations.failed()));
    harness.order(new JobCommand.Retry("ben"));
    assertThat(harness.partition.receiveMessage()).isInstanceOf(PartitionNotice.Forward.class);
  }

  @Test
  void isGoneAtOnceWhenThereIsNothingToOpenAgain() {
    harness.reopened(JobSituations.succeeded());

    harness.caller.expectMessage(new JobReply.AlreadyFinished(JobSituations.succeeded()));
    harness.partition.expectMessage(new PartitionNotice.Gone(ID, harness.job));
  }

  @Test
  void givesTheWorkerBackAndWantsOneLater() {
    harness.live(JobSituations.queued());
    harness.dispatcher.receiveMessage();
    harness.job.tell(new Job.Claim(harness.credit));
    harness.turnDown(harness.append());

    harness.dispatcher.expectMessage(new JobNotice.Declined(ID, harness.credit));
    harness.dispatcher.expectMessage(
        new JobNotice.Ready(ID, "thumbnail", "images", 0, NOW.plus(LATER), harness.job));
    harness.worker.expectNoMessage(Duration.ofMillis(10));
  }

  @Test
  void wantsAWorkerLaterAlsoWhenItsClaimWasRefused() {
    harness.live(JobSituations.queued());
    harness.dispatcher.receiveMessage();
    harness.job.tell(new Job.Claim(harness.credit));
    harness.refuse(harness.append());

    harness.dispatcher.expectMessage(new JobNotice.Declined(ID, harness.credit));
    harness.dispatcher.expectMessage(
        new JobNotice.Ready(ID, "thumbnail", "images", 0, NOW.plusSeconds(1), harness.job));
  }

  @Test
  void tellsItsWorkerToSayItAgain() {
    harness.running(JobSituations.spec());
    harness.order(report(1, new AttemptReport.Returned(RESULT)));
    harness.turnDown(harness.append());

    harness.caller.expectMessage(new ReportReply.Unavailable(ID, "the store is away", LATER));
    assertThat(harness.state().phase()).isInstanceOf(JobPhase.Running.class);
  }

  @Test
  void tellsItsCallerWhy() {
    harness.running(JobSituations.spec());
    harness.order(JobSituations.cancel());
    harness.refuse(harness.append());
    harness.caller.expectMessage(new JobReply.Refused(ID, "it has a stain"));

    harness.order(new JobCommand.Checkpoint(1, Json.of("1")));
    harness.refuse(harness.append());
    harness.caller.expectMessage(new ReportReply.NotRecorded(ID, 1, "it has a stain"));

    harness.job.tell(new Job.AddChild(1, JobHarness.child(), harness.caller.ref().narrow()));
    harness.refuse(harness.append());
    harness.caller.expectMessage(new ChildReply.Refused(ID, "it has a stain"));

    harness.job.tell(new Job.AddChild(1, JobHarness.child(), harness.caller.ref().narrow()));
    harness.turnDown(harness.append());
    harness.caller.expectMessage(new ChildReply.Unavailable(ID, "the store is away", LATER));

    harness.order(JobSituations.cancel());
    harness.turnDown(harness.append());
    harness.caller.expectMessage(new JobReply.Unavailable(ID, "the store is away", LATER));
    assertThat(harness.state().trail().children()).isEmpty();
  }

  @Test
  void failsItsAttemptWhoseResultCannotBeStored() {
    harness.running(JobSituations.spec(1));
    harness.order(report(1, new AttemptReport.Returned(RESULT)));
    harness.refuse(harness.append());

    var second = harness.append();
    harness.expectFacts(second, JobFact.Failed.class);
    harness.commit(second);

    harness.caller.expectMessage(new ReportReply.Recorded(ID, 1));
    assertThat(harness.state().phase())
        .isInstanceOfSatisfying(
            JobPhase.Failed.class,
            over ->
                assertThat(over.error().message())
                    .isEqualTo("its result cannot be stored: it has a stain"));
    harness.order(report(1, new AttemptReport.Returned(RESULT)));
    harness.caller.expectMessage(new ReportReply.Recorded(ID, 1));
  }

  @Test
  void endsItsAttemptWhateverOfItCannotBeStored() {
    harness.running(JobSituations.spec());
    var notes = new AttemptNotes(List.of("a line"), null);
    harness.order(new JobCommand.Report(1, new AttemptReport.Threw(ERROR), notes));
    harness.refuse(harness.append());
    var second = harness.append();
    assertThat(((JobFact.RetryScheduled) second.facts().getFirst().event()).end().error().type())
        .isEqualTo("not-storable");

    harness.refuse(second);

    harness.caller.expectMessage(new ReportReply.NotRecorded(ID, 1, "it has a stain"));
  }

  @Test
  void isNotTriedAgainWhereItsFailureForGoodCannotBeStored() {
    harness.running(JobSituations.spec());
    harness.order(report(1, new AttemptReport.Threw(ERROR, true)));
    harness.refuse(harness.append());

    var second = harness.append();

    harness.expectFacts(second, JobFact.Failed.class);
    harness.commit(second);
    harness.caller.expectMessage(new ReportReply.Recorded(ID, 1));
    assertThat(harness.state().phase())
        .isInstanceOfSatisfying(
            JobPhase.Failed.class,
            over -> assertThat(over.error().type()).isEqualTo("not-storable"));
  }

  @Test
  void endsItsAttemptWithoutItsLines() {
    var notes = new AttemptNotes(List.of("a line"), null);
    var reports =
        List.of(
            new AttemptReport.Stopped(Cause.SHUTDOWN),
            new AttemptReport.Abandoned(Cause.SHUTDOWN),
            new AttemptReport.NeverStarted());
    for (var report : reports) {
      var one = new JobHarness(actors).running(JobSituations.spec());
      one.order(new JobCommand.Report(1, report, notes));
      one.refuse(one.append());

      one.commit();

      one.caller.expectMessage(new ReportReply.Recorded(ID, 1));
      assertThat(one.state().trail().log()).isEmpty();
    }
  }

  @Test
  void goesOnWithWhatWaited() {
    harness.running(JobSituations.spec());
    harness.order(new JobCommand.Checkpoint(1, Json.of("1")));
    var first = harness.append();
    harness.order(new JobCommand.Checkpoint(1, Json.of("2")));
    harness.refuse(first);

    harness.commit();

    harness.caller.expectMessage(new ReportReply.NotRecorded(ID, 1, "it has a stain"));
    harness.caller.expectMessage(new ReportReply.Recorded(ID, 1));
    assertThat(harness.state().trail().checkpoint()).isEqualTo(Json.of("2"));
  }

  @Test
  void losesNothingButTheTimeOfAStartThatWasNotWritten() {
    harness.submitted(JobSituations.spec());
    harness.commit();
    harness.job.tell(new Job.Claim(harness.credit));
    harness.commit();
    harness.order(JobSituations.started(1));
    harness.append().sender().tell(new Ledger.Refused("no"));
    harness.order(report(1, new AttemptReport.Returned(RESULT)));
    harness.commit();

    assertThat(harness.state().status(NOW)).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(harness.state().trail().attempts().getLast().startedAt()).isNull();
  }
}
