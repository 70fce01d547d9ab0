package dev.handoff.job;

import static dev.handoff.job.Samples.ID;
import static dev.handoff.job.Samples.RESULT;
import static dev.handoff.job.Samples.report;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.testing.Actors;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A job that is writing")
class JobStashTest {

  @RegisterExtension static final Actors actors = Actors.inManualTime();

  private final JobHarness harness = new JobHarness(actors);

  @Test
  void handlesWhatArrivedMeanwhileInOrder() {
    harness.running(Samples.spec());
    harness.order(new JobCommand.Checkpoint(1, Json.of("1")));
    var first = harness.append();
    harness.order(new JobCommand.Checkpoint(1, Json.of("2")));
    harness.order(report(1, new AttemptReport.Returned(RESULT)));
    harness.order(Samples.cancel());
    harness.commit(first);
    harness.expectFacts(harness.commit(), JobFact.Checkpointed.class);
    harness.expectFacts(harness.commit(), JobFact.Succeeded.class);

    assertThat(harness.caller.receiveSeveralMessages(4).getLast())
        .isInstanceOf(JobReply.AlreadyFinished.class);
  }

  @Test
  void keepsOnlySoMuch() {
    harness.running(Samples.spec());
    harness.order(new JobCommand.Checkpoint(1, Json.of("1")));
    harness.append();
    for (int i = 0; i < JobHarness.SETTINGS.stash(); i++) {
      harness.order(new JobCommand.Checkpoint(1, Json.of("2")));
    }
    harness.state();
    harness.expectSilence();

    harness.order(Samples.cancel());
    harness.job.tell(new Job.SameKey(Samples.spec(), harness.submitter.ref()));
    harness.job.tell(new Job.AddChild(1, JobHarness.child(), harness.caller.ref()));

    assertThat(harness.caller.receiveSeveralMessages(2))
        .allSatisfy(
            reply ->
                assertThat(reply)
                    .isInstanceOfSatisfying(
                        JobReply.Unavailable.class,
                        busy ->
                            assertThat(busy.reason())
                                .isEqualTo("too many messages wait for job " + ID)));
    assertThat(harness.submitter.receiveMessage()).isInstanceOf(SubmitReply.Unavailable.class);
  }

  @Test
  void keepsAWorkerThatItIsOfferedHoweverMuchWaits() {
    harness.live(Samples.queued());
    harness.dispatcher.receiveMessage();
    harness.order(Samples.cancel());
    var append = harness.append();
    for (int i = 0; i < JobHarness.SETTINGS.stash(); i++) {
      harness.order(Samples.cancel());
    }
    harness.job.tell(new Job.Claim(harness.credit));
    harness.state();
    harness.expectSilence();

    harness.commit(append);

    harness.dispatcher.expectMessage(new JobNotice.Withdrawn(ID, harness.job));
    harness.dispatcher.expectMessage(new JobNotice.Declined(ID, harness.credit));
  }

  /// While the store is away the dispatcher repeats its offer with each heartbeat.
  @Test
  void keepsAnOfferThatIsRepeatedOnce() {
    harness.live(Samples.queued());
    harness.dispatcher.receiveMessage();
    harness.order(Samples.cancel());
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

  /// While the store is away the dispatcher also asks for the state with each heartbeat.
  @Test
  void keepsAQuestionThatIsRepeatedOnce() {
    harness.submitted(Samples.spec());
    var append = harness.append();
    for (int i = 0; i < 100; i++) {
      harness.job.tell(new Job.Get(harness.caller.ref()));
    }

    harness.commit(append);

    harness.caller.expectMessageClass(JobReply.Done.class);
    harness.caller.expectNoMessage(Duration.ofMillis(10));
    harness.state();
  }

  @Test
  void turnsAwayWhoHasWaitedLongestIfTooManyWaitAtOnce() {
    harness.running(Samples.spec());
    harness.job.tell(new Job.Watch(harness.caller.ref()));
    var others = actors.probe(JobReply.class);
    for (int i = 0; i < Watchers.MOST; i++) {
      harness.job.tell(new Job.Watch(others.ref()));
    }

    assertThat(harness.caller.receiveMessage()).isInstanceOf(JobReply.Unavailable.class);
  }

  /// One who waits asks again each minute. A watcher that stayed would be told, or turned away.
  @Test
  void keepsOneWatcherForOneWhoWaitsHoweverLong() {
    harness.running(Samples.spec());
    var gone = actors.probe(JobReply.class);
    for (int minute = 0; minute < 2 * Watchers.MOST; minute++) {
      harness.job.tell(new Job.Watch(gone.ref()));
      harness.state();
      harness.clock.move(Watchers.PATIENCE);
    }
    harness.job.tell(new Job.Watch(harness.caller.ref()));

    harness.order(report(1, new AttemptReport.Returned(RESULT)));
    harness.commit();

    assertThat(harness.caller.receiveSeveralMessages(2))
        .hasAtLeastOneElementOfType(JobReply.Done.class);
    gone.expectNoMessage();
  }
}
