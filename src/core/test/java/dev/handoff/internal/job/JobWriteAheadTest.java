package dev.handoff.internal.job;

import static dev.handoff.internal.job.JobSituations.ERROR;
import static dev.handoff.internal.job.JobSituations.ID;
import static dev.handoff.internal.job.JobSituations.NOW;
import static dev.handoff.internal.job.JobSituations.RESULT;
import static dev.handoff.internal.job.JobSituations.report;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Json;
import dev.handoff.cancel.Cancellation;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("Before its facts are durable, a job")
class JobWriteAheadTest {

  @RegisterExtension static final TestActors actors = TestActors.inManualTime();

  private final JobHarness harness = new JobHarness(actors);

  @Test
  void neitherIsAcceptedNorWantsAWorker() {
    harness.submitted(JobSituations.spec());
    var append = harness.append();
    harness.expectSilence();

    harness.commit(append);

    harness.submitter.expectMessage(new SubmitReply.Accepted(ID));
    harness.dispatcher.expectMessage(
        new JobNotice.Ready(ID, "thumbnail", "default", 0, NOW, harness.job));
  }

  @Test
  void neitherTakesAWorkerNorHasItRun() {
    harness.submitted(JobSituations.spec());
    harness.commit();
    harness.dispatcher.receiveMessage();
    harness.submitter.receiveMessage();
    harness.job.tell(new Job.Claim(harness.credit));
    var append = harness.append();
    assertThat(harness.state().phase()).isInstanceOf(JobPhase.Pending.class);
    harness.expectSilence();

    harness.commit(append);

    harness.expectFacts(append, JobFact.Claimed.class);
    harness.dispatcher.expectMessage(
        new JobNotice.Taken(ID, 1, "default", harness.credit, harness.job));
    harness.worker.expectMessage(
        new WorkerOrder.Run(41, ID, 1, JobSituations.spec(), null, harness.job));
  }

  @Test
  void doesNotAnswerAReport() {
    harness.running(JobSituations.spec());
    harness.order(report(1, new AttemptReport.Threw(ERROR)));
    var append = harness.append();
    assertThat(harness.state().phase()).isInstanceOf(JobPhase.Running.class);
    harness.expectSilence();

    harness.commit(append);

    harness.caller.expectMessage(new ReportReply.Recorded(ID, 1));
    harness.dispatcher.expectMessage(new JobNotice.Freed(ID, 1, "default"));
    assertThat(harness.dispatcher.receiveMessage()).isInstanceOf(JobNotice.Ready.class);
  }

  @Test
  void isNotOver() {
    harness.running(JobSituations.spec());
    harness.job.tell(new Job.Watch(harness.caller.ref().narrow()));
    harness.order(report(1, new AttemptReport.Returned(RESULT)));
    var append = harness.append();
    harness.state();
    harness.expectSilence();

    harness.commit(append);

    assertThat(append.ended())
        .singleElement()
        .satisfies(row -> assertThat(row.status()).isEqualTo("succeeded"));
    assertThat(harness.caller.receiveSeveralMessages(2))
        .contains(new ReportReply.Recorded(ID, 1))
        .anyMatch(reply -> reply instanceof WatchReply.Ended over && over.state().ended());
    harness.dispatcher.expectMessage(new JobNotice.Freed(ID, 1, "default"));
    harness.partition.expectMessage(new PartitionNotice.Gone(ID, harness.job));
  }

  @Test
  void isNotWithdrawn() {
    harness.submitted(JobSituations.spec());
    harness.commit();
    harness.dispatcher.receiveMessage();
    harness.submitter.receiveMessage();
    harness.order(JobSituations.cancel());
    var append = harness.append();
    harness.state();
    harness.expectSilence();

    harness.commit(append);

    harness.dispatcher.expectMessage(new JobNotice.Withdrawn(ID, harness.job));
    harness.partition.expectMessage(new PartitionNotice.Gone(ID, harness.job));
    assertThat(harness.caller.receiveMessage())
        .isInstanceOfSatisfying(
            JobReply.Done.class, done -> assertThat(done.state().ended()).isTrue());
  }

  @Test
  void doesNotStopItsAttempt() {
    harness.running(JobSituations.spec());
    harness.order(JobSituations.cancel());
    var append = harness.append();
    harness.state();
    harness.expectSilence();

    harness.commit(append);

    harness.expectFacts(append, JobFact.CancelRequested.class);
    var stop = harness.worker.expectMessageClass(WorkerOrder.Stop.class);
    assertThat(stop.credit()).isEqualTo(41);
    assertThat(stop.why())
        .isEqualTo(new Cancellation(Cancellation.Cause.REQUESTED, "not needed", "operator"));
    assertThat(stop.elapsed()).isLessThan(Duration.ofSeconds(10));
    assertThat(harness.caller.receiveMessage()).isInstanceOf(JobReply.Done.class);
  }

  @Test
  void doesNotStopAnAttemptThatTookTooLong() {
    harness.running(JobSituations.spec());
    harness.order(JobSituations.timeOut(1));
    var append = harness.append();
    harness.state();
    harness.expectSilence();

    harness.commit(append);

    assertThat(harness.worker.receiveMessage())
        .isInstanceOfSatisfying(
            WorkerOrder.Stop.class,
            stop -> assertThat(stop.why().cause()).isEqualTo(Cancellation.Cause.TIMEOUT));
    harness.caller.expectMessage(new ReportReply.Recorded(ID, 1));
  }

  @Test
  void doesNotStopAnAttemptThatWasSilentTooLong() {
    harness.running(JobSituations.spec());
    harness.order(new JobCommand.TimeOut(1, JobPhase.StopCause.HEARTBEAT));
    var append = harness.append();
    harness.state();
    harness.expectSilence();

    harness.commit(append);

    assertThat(harness.worker.expectMessageClass(WorkerOrder.Stop.class).why().cause())
        .isEqualTo(Cancellation.Cause.HEARTBEAT);
  }

  @Test
  void keepsNoLineOfItsAttempt() {
    harness.running(JobSituations.spec());
    harness.order(new JobCommand.Note(1, new AttemptNotes(List.of("a line"), null)));
    var append = harness.append();
    assertThat(harness.state().trail().log()).isEmpty();
    harness.expectSilence();

    harness.commit(append);

    harness.caller.expectMessage(new ReportReply.Recorded(ID, 1));
    assertThat(harness.state().trail().log()).containsExactly("a line");
  }

  @Test
  void hasNoChild() {
    harness.running(JobSituations.spec());
    harness.job.tell(new Job.AddChild(1, JobHarness.child(), harness.caller.ref().narrow()));
    var append = harness.append();
    harness.state();
    harness.expectSilence();

    harness.commit(append);

    harness.expectFacts(append, JobFact.ChildAdded.class, JobFact.Submitted.class);
    var born = harness.partition.expectMessageClass(PartitionNotice.Born.class).child();
    assertThat(born.spec().origin()).isEqualTo(new JobOrigin(ID, null, null));
    harness.caller.expectMessage(new ChildReply.Accepted(ID, born.id(), false));
    assertThat(harness.state().trail().children())
        .extracting(ChildJob::id)
        .containsExactly(born.id());
  }

  @Test
  void isNotOpenAgain() {
    harness.reopened(JobSituations.failed());
    var append = harness.append();
    assertThat(harness.state()).isEqualTo(JobSituations.failed());
    harness.expectSilence();

    harness.commit(append);

    assertThat(append.reopened()).containsExactly(ID.value());
    assertThat(harness.caller.receiveMessage())
        .isInstanceOfSatisfying(
            JobReply.Done.class, done -> assertThat(done.state().starts()).isZero());
    assertThat(harness.dispatcher.receiveMessage()).isInstanceOf(JobNotice.Ready.class);
  }

  @Test
  void keepsNothingThatWasCheckpointed() {
    harness.running(JobSituations.spec());
    harness.order(new JobCommand.Checkpoint(1, Json.of("1")));
    var append = harness.append();
    assertThat(harness.state().trail().checkpoint()).isNull();
    harness.expectSilence();

    harness.commit(append);

    harness.caller.expectMessage(new ReportReply.Recorded(ID, 1));
    assertThat(harness.state().trail().checkpoint()).isEqualTo(Json.of("1"));
  }

  @Test
  void isNotReadyThoughItsPlanReleasedIt() {
    harness.live(JobSituations.waiting());
    harness.order(new JobCommand.Release());
    harness.dispatcher.expectMessageClass(JobNotice.AboutToBeReady.class);
    harness.job.tell(Job.NoWorker.INSTANCE);
    var append = harness.append();
    harness.state();
    harness.expectSilence();

    harness.commit(append);

    assertThat(harness.dispatcher.receiveMessage()).isInstanceOf(JobNotice.Ready.class);
    assertThat(harness.caller.receiveMessage()).isInstanceOf(JobReply.Done.class);
  }

  @Test
  void answersNobodyWhatItIs() {
    harness.submitted(JobSituations.spec());
    var append = harness.append();
    harness.job.tell(new Job.Get(harness.caller.ref().narrow()));
    harness.job.tell(new Job.Watch(harness.caller.ref().narrow()));
    harness.job.tell(new Job.SameKey(JobSituations.spec(), harness.submitter.ref()));
    harness.expectSilence();

    harness.commit(append);

    assertThat(harness.caller.receiveMessage()).isInstanceOf(StateReply.Found.class);
    assertThat(harness.submitter.receiveSeveralMessages(2))
        .isEqualTo(List.of(new SubmitReply.Accepted(ID), new SubmitReply.Existing(ID)));
  }

  /// Exception to write-ahead: no message waits for a durable start, since a restart loses the
  /// attempt with or without that fact.
  @Test
  void saysThatItRunsOnceItsWorkerHasSaidSo() {
    harness.submitted(JobSituations.spec());
    harness.commit();
    harness.job.tell(new Job.Claim(harness.credit));
    harness.commit();
    harness.order(JobSituations.started(1));
    var started = harness.append();

    assertThat(harness.state().phase()).isInstanceOf(JobPhase.Running.class);
    harness.caller.expectMessage(new ReportReply.Recorded(ID, 1));
    harness.order(report(1, new AttemptReport.Returned(RESULT)));
    harness.commit(started);
    harness.commit();
    harness.caller.expectMessage(new ReportReply.Recorded(ID, 1));
    assertThat(harness.state().trail().attempts().getLast().startedAt()).isEqualTo(NOW);
  }
}
