package dev.handoff.internal.job;

import static dev.handoff.internal.job.JobSituations.ID;
import static dev.handoff.internal.job.JobSituations.NOW;
import static dev.handoff.internal.job.JobSituations.RESULT;
import static dev.handoff.internal.job.JobSituations.report;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobStatus;
import dev.handoff.Json;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A job that is offered a worker")
class JobClaimTest {

  @RegisterExtension static final TestActors actors = TestActors.inManualTime();

  private final JobHarness harness = new JobHarness(actors);

  @Test
  void isCancelledIfTheCancelWasFirst() {
    harness.live(JobSituations.queued());
    harness.dispatcher.receiveMessage();
    harness.order(JobSituations.cancel());
    harness.job.tell(new Job.Claim(harness.credit));
    harness.commit();

    assertThat(harness.caller.receiveMessage())
        .isInstanceOfSatisfying(
            JobReply.Done.class,
            done -> assertThat(done.state().status(NOW)).isEqualTo(JobStatus.CANCELLED));
    harness.dispatcher.expectMessage(new JobNotice.Withdrawn(ID, harness.job));
    harness.dispatcher.expectMessage(new JobNotice.Declined(ID, harness.credit));
    harness.worker.expectNoMessage(Duration.ofMillis(10));
  }

  @Test
  void runsAndIsStoppedIfTheClaimWasFirst() {
    harness.live(JobSituations.queued());
    harness.dispatcher.receiveMessage();
    harness.job.tell(new Job.Claim(harness.credit));
    harness.order(JobSituations.cancel());
    harness.expectFacts(harness.commit(), JobFact.Claimed.class);
    harness.expectFacts(harness.commit(), JobFact.CancelRequested.class);

    assertThat(harness.dispatcher.receiveMessage()).isInstanceOf(JobNotice.Taken.class);
    harness.worker.expectMessageClass(WorkerOrder.Run.class);
    harness.worker.expectMessageClass(WorkerOrder.Stop.class);
    assertThat(harness.caller.receiveMessage())
        .isInstanceOfSatisfying(
            JobReply.Done.class,
            done -> assertThat(done.state().status(NOW)).isEqualTo(JobStatus.CANCELLING));
    harness.order(report(1, new AttemptReport.NeverStarted()));
    harness.commit();
    assertThat(harness.state().status(NOW)).isEqualTo(JobStatus.CANCELLED);
  }

  @Test
  void asksAgainWhenItIsNotDueYet() {
    harness.live(JobSituations.scheduled());
    var ready = harness.dispatcher.receiveMessage();

    harness.job.tell(new Job.Claim(harness.credit));

    harness.dispatcher.expectMessage(new JobNotice.Declined(ID, harness.credit));
    harness.dispatcher.expectMessage(ready);
  }

  @Test
  void answersTheSameOfferTwice() {
    harness.live(JobSituations.queued());
    harness.dispatcher.receiveMessage();
    harness.job.tell(new Job.Claim(harness.credit));
    harness.job.tell(new Job.Claim(harness.credit));
    harness.commit();
    var taken = harness.dispatcher.receiveMessage();

    harness.job.tell(new Job.Claim(harness.credit));

    assertThat(taken).isInstanceOf(JobNotice.Taken.class);
    harness.dispatcher.expectMessage(taken);
    harness.ledger.expectNoMessage(Duration.ofMillis(10));
  }

  /// The worker has closed the credit: a second attempt on it would never start.
  @Test
  void doesNotUseACreditAgainWhoseOfferIsRepeatedWhenTheAttemptIsOver() {
    harness.running(JobSituations.spec());
    harness.order(new JobCommand.LoseWorker(1));
    harness.commit();
    harness.dispatcher.expectMessageClass(JobNotice.Freed.class);
    harness.dispatcher.expectMessageClass(JobNotice.Ready.class);

    harness.job.tell(new Job.Claim(harness.credit));

    assertThat(harness.dispatcher.expectMessageClass(JobNotice.Taken.class).attempt()).isEqualTo(1);
    harness.ledger.expectNoMessage(Duration.ofMillis(10));
    harness.job.tell(new Job.Claim(harness.other));
    harness.expectFacts(harness.commit(), JobFact.Claimed.class);
  }

  @Test
  void takesOneAndDeclinesTheOther() {
    harness.live(JobSituations.queued());
    harness.dispatcher.receiveMessage();
    harness.job.tell(new Job.Claim(harness.credit));
    harness.job.tell(new Job.Claim(harness.other));
    harness.commit();

    assertThat(harness.dispatcher.receiveMessage()).isInstanceOf(JobNotice.Taken.class);
    harness.dispatcher.expectMessage(new JobNotice.Declined(ID, harness.other));
  }

  @Test
  void ordersItsRunAgainOnlyUntilItStarts() {
    harness.live(JobSituations.queued());
    harness.job.tell(new Job.Claim(harness.credit));
    harness.commit();
    harness.worker.expectMessageClass(WorkerOrder.Run.class);

    harness.job.tell(new Job.RunAgain(41));
    harness.worker.expectMessageClass(WorkerOrder.Run.class);
    harness.order(JobSituations.started(1));
    harness.job.tell(new Job.RunAgain(41));
    harness.state();

    harness.worker.expectNoMessage(Duration.ofMillis(10));
  }

  @Test
  void handsOverWhatAnEarlierAttemptKept() {
    harness.running(JobSituations.spec());
    harness.order(new JobCommand.Checkpoint(1, Json.of("42")));
    harness.commit();
    harness.order(new JobCommand.LoseWorker(1));
    harness.commit();
    harness.job.tell(new Job.Claim(harness.other));
    harness.commit();

    var run = harness.worker.expectMessageClass(WorkerOrder.Run.class);

    assertThat(run.attempt()).isEqualTo(2);
    assertThat(run.checkpoint()).isEqualTo(Json.of("42"));
    assertThat(run.credit()).isEqualTo(42);
  }

  @Test
  void tellsAStaleAttemptSo() {
    harness.running(JobSituations.spec());
    harness.order(new JobCommand.LoseWorker(1));
    harness.commit();
    harness.caller.receiveMessage();

    harness.order(report(1, new AttemptReport.Returned(RESULT)));
    var late = harness.commit();

    harness.expectFacts(late, JobFact.LateReport.class);
    harness.caller.expectMessage(new ReportReply.Fenced(ID, 1, 1));
  }

  @Test
  void passesOnWhoeverWantsItOpenedAgainWhenItHasEnded() {
    harness.running(JobSituations.spec(1));
    harness.order(report(1, new AttemptReport.Threw(JobSituations.ERROR)));
    harness.commit();
    harness.partition.receiveMessage();

    harness.order(new JobCommand.Retry("ann"));
    harness.order(JobSituations.cancel());
    harness.job.tell(new Job.Watch(harness.caller.ref().narrow()));

    assertThat(harness.partition.expectMessageClass(PartitionNotice.Forward.class).message())
        .isEqualTo(
            new JobEnvelope(
                ID, new Job.Do(new JobCommand.Retry("ann"), harness.caller.ref().narrow())));
    assertThat(harness.caller.receiveSeveralMessages(3).subList(1, 3))
        .satisfiesExactly(
            first -> assertThat(first).isInstanceOf(JobReply.AlreadyFinished.class),
            second -> assertThat(second).isInstanceOf(WatchReply.Ended.class));
    harness.job.tell(Job.Retire.INSTANCE);
    harness.partition.expectTerminated(harness.job, Duration.ofSeconds(10));
  }

  @Test
  void saysWhyItCannotDoWhatItIsAsked() {
    harness.live(JobSituations.scheduled());
    harness.order(new JobCommand.Retry("ann"));
    assertThat(((JobReply.Declined) harness.caller.receiveMessage()).reason())
        .isEqualTo("not possible while the job is scheduled");

    harness.clock.move(Duration.ofHours(1));
    harness.order(new JobCommand.Retry("ann"));
    assertThat(((JobReply.Declined) harness.caller.receiveMessage()).reason())
        .isEqualTo("not possible while the job is queued");
  }

  @Test
  void knowsAnotherOfTheSameKey() {
    harness.live(JobSituations.queued());
    var other = JobSpec.of("mail", Json.NULL);

    harness.job.tell(new Job.SameKey(JobSituations.spec(3), harness.submitter.ref()));
    harness.job.tell(new Job.SameKey(other, harness.submitter.ref()));

    harness.submitter.expectMessage(new SubmitReply.Existing(ID));
    harness.submitter.expectMessage(new SubmitReply.KeyConflict(ID, "null"));
  }
}
