package dev.handoff.internal.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Json;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A job that becomes ready while a worker is at hand")
class JobClaimedAtOnceTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private final JobHarness harness = new JobHarness(actors);

  @Test
  void isAcceptedAndClaimedByOneAppendOfWhichNobodyHearsBeforeItIsDurable() {
    harness.asking(JobSituations.spec());
    assertThat(asked().job()).isEqualTo(JobSituations.ID);
    harness.expectSilence();

    harness.job.tell(new Job.Claim(harness.credit));
    var append = harness.append();
    harness.expectFacts(append, JobFact.Submitted.class, JobFact.Claimed.class);
    harness.expectSilence();
    harness.commit(append);

    harness.submitter.expectMessage(new SubmitReply.Accepted(JobSituations.ID));
    assertThat(harness.dispatcher.receiveMessage())
        .isInstanceOfSatisfying(
            JobNotice.Taken.class, taken -> assertThat(taken.credit()).isEqualTo(harness.credit));
    assertThat(harness.worker.expectMessageClass(WorkerOrder.Run.class).attempt()).isEqualTo(1);
    harness.expectSilence();
    assertThat(harness.state().phase()).isInstanceOf(JobPhase.Claimed.class);
  }

  @Test
  void isAcceptedAloneIfNoneIsThereAfterAll() {
    harness.asking(JobSituations.spec());
    asked();

    harness.job.tell(Job.NoWorker.INSTANCE);
    harness.expectFacts(harness.commit(), JobFact.Submitted.class);

    harness.submitter.expectMessage(new SubmitReply.Accepted(JobSituations.ID));
    harness.dispatcher.expectMessageClass(JobNotice.Ready.class);
  }

  @Test
  void asksForNoneBeforeItsTime() {
    var later = JobSituations.NOW.plusSeconds(60);

    harness.asking(spec(later));

    harness.expectFacts(harness.commit(), JobFact.Submitted.class);
    assertThat(harness.dispatcher.expectMessageClass(JobNotice.Ready.class).due()).isEqualTo(later);
  }

  @Test
  void declinesItWithASubmissionThatIsRefused() {
    harness.asking(JobSituations.spec());
    asked();
    harness.job.tell(new Job.Claim(harness.credit));

    harness.refuse(harness.append());

    harness.submitter.expectMessage(new SubmitReply.Refused("it has a stain"));
    harness.dispatcher.expectMessage(new JobNotice.Declined(JobSituations.ID, harness.credit));
    harness.partition.expectMessageClass(PartitionNotice.Gone.class);
    harness.expectSilence();
  }

  @Test
  void declinesItWhileTheStoreIsAway() {
    harness.asking(JobSituations.spec());
    asked();
    harness.job.tell(new Job.Claim(harness.credit));

    harness.turnDown(harness.append());

    harness.submitter.expectMessageClass(SubmitReply.Unavailable.class);
    harness.dispatcher.expectMessage(new JobNotice.Declined(JobSituations.ID, harness.credit));
    harness.partition.expectMessageClass(PartitionNotice.Gone.class);
    harness.expectSilence();
  }

  @Test
  void hasACancelWaitUntilItIsClaimed() {
    harness.asking(JobSituations.spec());
    asked();
    harness.order(JobSituations.cancel());
    harness.expectSilence();
    harness.job.tell(new Job.Claim(harness.credit));
    harness.order(JobSituations.cancel());
    harness.commit();

    harness.expectFacts(harness.commit(), JobFact.CancelRequested.class);

    harness.worker.expectMessageClass(WorkerOrder.Run.class);
    harness.worker.expectMessageClass(WorkerOrder.Stop.class);
    harness.caller.expectMessageClass(JobReply.Done.class);
    harness.caller.expectMessageClass(JobReply.Done.class);
  }

  @Test
  void takesAnOfferThatComesTwiceOnce() {
    harness.asking(JobSituations.spec());
    asked();
    harness.job.tell(new Job.Claim(harness.credit));
    harness.job.tell(new Job.Claim(harness.credit));
    harness.job.tell(Job.NoWorker.INSTANCE);
    harness.commit();
    harness.job.tell(Job.NoWorker.INSTANCE);

    harness.dispatcher.expectMessageClass(JobNotice.Taken.class);
    assertThat(harness.state().attempt()).isEqualTo(1);
    harness.dispatcher.expectNoMessage(Duration.ofMillis(1));
  }

  @Test
  void declinesItIfTheClockWasSetBackBehindItsTime() {
    harness.asking(spec(JobSituations.NOW.minusSeconds(1)));
    asked();
    harness.clock.move(Duration.ofHours(-1));

    harness.job.tell(new Job.Claim(harness.credit));

    assertThat(JobHarness.kinds(harness.append())).contains(JobFact.Submitted.class);
  }

  @Test
  void isReleasedByItsPlanAndClaimedByOneAppend() {
    harness.live(JobSituations.waiting());
    harness.order(new JobCommand.Release());
    asked();

    harness.job.tell(new Job.Claim(harness.credit));
    var append = harness.append();
    harness.expectFacts(append, JobFact.Released.class, JobFact.Claimed.class);
    harness.expectSilence();
    harness.commit(append);

    harness.caller.expectMessageClass(JobReply.Done.class);
    harness.dispatcher.expectMessageClass(JobNotice.Taken.class);
    harness.worker.expectMessageClass(WorkerOrder.Run.class);
    harness.expectSilence();
  }

  @Test
  void waitsOnIfItsReleaseCannotBeWrittenNow() {
    harness.live(JobSituations.waiting());
    harness.order(new JobCommand.Release());
    asked();
    harness.job.tell(new Job.Claim(harness.credit));

    harness.turnDown(harness.append());

    harness.caller.expectMessageClass(JobReply.Unavailable.class);
    harness.dispatcher.expectMessage(new JobNotice.Declined(JobSituations.ID, harness.credit));
    assertThat(harness.state().phase()).isInstanceOf(JobPhase.Waiting.class);
    harness.expectSilence();
  }

  private JobNotice.AboutToBeReady asked() {
    return harness.dispatcher.expectMessageClass(JobNotice.AboutToBeReady.class);
  }

  private static JobSpec spec(Instant runAt) {
    return new JobSpec("resize", Json.NULL, "images", 0, null, runAt, JobOptions.DEFAULT, null);
  }
}
