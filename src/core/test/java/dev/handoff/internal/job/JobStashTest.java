package dev.handoff.internal.job;

import static dev.handoff.internal.job.JobSituations.ID;
import static dev.handoff.internal.job.JobSituations.RESULT;
import static dev.handoff.internal.job.JobSituations.report;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Json;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A job that is writing")
class JobStashTest {

  @RegisterExtension static final TestActors actors = TestActors.inManualTime();

  private final JobHarness harness = new JobHarness(actors);

  @Test
  void handlesWhatArrivedMeanwhileInOrder() {
    harness.running(JobSituations.spec());
    harness.order(new JobCommand.Checkpoint(1, Json.of("1")));
    var first = harness.append();
    harness.order(new JobCommand.Checkpoint(1, Json.of("2")));
    harness.order(report(1, new AttemptReport.Returned(RESULT)));
    harness.order(JobSituations.cancel());
    harness.commit(first);
    harness.expectFacts(harness.commit(), JobFact.Checkpointed.class);
    harness.expectFacts(harness.commit(), JobFact.Succeeded.class);

    assertThat(harness.caller.receiveSeveralMessages(4).getLast())
        .isInstanceOf(JobReply.AlreadyFinished.class);
  }

  @Test
  void keepsOnlySoMuch() {
    harness.running(JobSituations.spec());
    harness.order(new JobCommand.Checkpoint(1, Json.of("1")));
    harness.append();
    for (int i = 0; i < JobHarness.SETTINGS.stash(); i++) {
      harness.order(new JobCommand.Checkpoint(1, Json.of("2")));
    }
    harness.state();
    harness.expectSilence();

    harness.order(JobSituations.cancel());
    harness.job.tell(new Job.SameKey(JobSituations.spec(), harness.submitter.ref()));
    harness.job.tell(new Job.AddChild(1, JobHarness.child(), harness.caller.ref().narrow()));

    var reason = "too many messages wait for job " + ID;
    var soon = JobHarness.SETTINGS.repeat();
    harness.caller.expectMessage(new JobReply.Unavailable(ID, reason, soon));
    harness.caller.expectMessage(new ChildReply.Unavailable(ID, reason, soon));
    assertThat(harness.submitter.receiveMessage()).isInstanceOf(SubmitReply.Unavailable.class);
  }

  @Test
  void keepsAWorkerThatItIsOfferedHoweverMuchWaits() {
    harness.live(JobSituations.queued());
    harness.dispatcher.receiveMessage();
    harness.order(JobSituations.cancel());
    var append = harness.append();
    for (int i = 0; i < JobHarness.SETTINGS.stash(); i++) {
      harness.order(JobSituations.cancel());
    }
    harness.job.tell(new Job.Claim(harness.credit));
    harness.state();
    harness.expectSilence();

    harness.commit(append);

    harness.dispatcher.expectMessage(new JobNotice.Withdrawn(ID, harness.job));
    harness.dispatcher.expectMessage(new JobNotice.Declined(ID, harness.credit));
  }

  /// While the store is unreachable, the dispatcher repeats its offer with each heartbeat.
  @Test
  void keepsAnOfferThatIsRepeatedOnce() {
    harness.live(JobSituations.queued());
    harness.dispatcher.receiveMessage();
    harness.order(JobSituations.cancel());
    var append = harness.append();
    for (int i = 0; i < 100; i++) {
      harness.job.tell(new Job.Claim(harness.credit));
    }
    harness.job.tell(new Job.Claim(harness.other));

    harness.commit(append);

    harness.dispatcher.expectMessage(new JobNotice.Withdrawn(ID, harness.job));
    harness.dispatcher.expectMessage(new JobNotice.Declined(ID, harness.credit));
    harness.dispatcher.expectMessage(new JobNotice.Declined(ID, harness.other));
  }

  /// While the store is unreachable, the dispatcher also repeats its state query with each
  /// heartbeat.
  @Test
  void keepsAQuestionThatIsRepeatedOnce() {
    harness.submitted(JobSituations.spec());
    var append = harness.append();
    for (int i = 0; i < 100; i++) {
      harness.job.tell(new Job.Get(harness.caller.ref().narrow()));
    }

    harness.commit(append);

    harness.caller.expectMessageClass(StateReply.Found.class);
    harness.caller.expectNoMessage(Duration.ofMillis(10));
    harness.state();
  }

  @Test
  void turnsAwayWhoHasWaitedLongestIfTooManyWaitAtOnce() {
    harness.running(JobSituations.spec());
    harness.job.tell(new Job.Watch(harness.caller.ref().narrow()));
    var others = actors.probe(WatchReply.class);
    for (int i = 0; i < JobWatchers.MOST; i++) {
      harness.job.tell(new Job.Watch(others.ref()));
    }

    assertThat(harness.caller.receiveMessage()).isInstanceOf(WatchReply.Unavailable.class);
  }

  /// A waiting caller repeats its watch each minute. If old watchers stayed, they would be told as
  /// well, or fill the list.
  @Test
  void keepsOneWatcherForOneWhoWaitsHoweverLong() {
    harness.running(JobSituations.spec());
    var gone = actors.probe(WatchReply.class);
    for (int minute = 0; minute < 2 * JobWatchers.MOST; minute++) {
      harness.job.tell(new Job.Watch(gone.ref()));
      harness.state();
      harness.clock.move(JobWatchers.PATIENCE);
    }
    harness.job.tell(new Job.Watch(harness.caller.ref().narrow()));

    harness.order(report(1, new AttemptReport.Returned(RESULT)));
    harness.commit();

    assertThat(harness.caller.receiveSeveralMessages(2))
        .hasAtLeastOneElementOfType(WatchReply.Ended.class);
    gone.expectNoMessage();
  }
}
