package dev.handoff.job;

import static dev.handoff.job.Samples.ID;
import static dev.handoff.job.Samples.NOW;
import static dev.handoff.job.Samples.WORKER;
import static dev.handoff.job.Samples.after;
import static dev.handoff.job.Samples.cancel;
import static dev.handoff.job.Samples.timeOut;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.cancel.Cancellation;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a job tells others")
class JobMailTest extends JobInboxes {

  private JobNotice.Ready ready(Instant due) {
    return new JobNotice.Ready(ID, "thumbnail", "images", 0, due, self);
  }

  private JobNotice.Declined declined() {
    return new JobNotice.Declined(ID, credit);
  }

  @Test
  void isThatItIsReadyOrWhenItWillBe() {
    Outbox.ready(Samples.running(), environment, self);
    assertThat(dispatcher.hasMessages()).isFalse();
    Outbox.ready(Samples.queued(), environment, self);
    Outbox.ready(Samples.scheduled(), environment, self);
    assertThat(dispatcher.getAllReceived())
        .containsExactly(ready(NOW), ready(NOW.plusSeconds(3600)));

    clock.move(Duration.ofHours(-1));
    Outbox.ready(Samples.queued(), environment, self);
    assertThat(dispatcher.getAllReceived()).containsExactly(ready(clock.instant()));
    clock.move(Duration.ofHours(2));
    Outbox.ready(Samples.queued(), environment, self);
    assertThat(dispatcher.getAllReceived()).containsExactly(ready(NOW));
  }

  @Test
  void isThatItIsAboutToBeReadyOrReadyLater() {
    Outbox.aboutToBeReady(Samples.queued(), environment, self);
    Outbox.readyAfter(SOON, Samples.queued(), environment, self);
    Outbox.readyAfter(SOON, Samples.running(), environment, self);

    var notices = dispatcher.getAllReceived();
    assertThat(notices)
        .containsExactly(new JobNotice.AboutToBeReady(ready(NOW)), ready(NOW.plus(SOON)));
    assertThat(notices.getFirst().job()).isEqualTo(ID);
  }

  @Test
  void isWhereItStands() {
    Outbox.standing(Samples.queued(), environment, self);
    Outbox.standing(Samples.running(), environment, self);
    Outbox.standing(Samples.succeeded(), environment, self);

    assertThat(dispatcher.getAllReceived())
        .containsExactly(ready(NOW), new JobNotice.Underway(ID, 1, "images", WORKER, self));
  }

  @Test
  void isThatItIsOver() {
    Outbox.over(Samples.running(), Samples.succeeded(), environment, self);
    assertThat(dispatcher.getAllReceived()).containsExactly(new JobNotice.Freed(ID, 1, "images"));
    assertThat(partition.getAllReceived()).containsExactly(new PartitionNotice.Gone(ID, self));

    Outbox.over(Samples.queued(), Samples.cancelled(), environment, self);
    assertThat(dispatcher.getAllReceived()).containsExactly(new JobNotice.Withdrawn(ID, self));

    Outbox.over(Samples.waiting(), Samples.cancelled(), environment, self);
    assertThat(dispatcher.hasMessages()).isFalse();
  }

  @Test
  void isThatItLeavesNoRow() {
    var drops = new HistoryRules(new HistoryRules.Rule(true, false), Map.of());

    Outbox.over(Samples.running(), Samples.succeeded(), environment(drops), self);

    assertThat(partition.getAllReceived())
        .containsExactly(
            new PartitionNotice.Dropped(Samples.succeeded()), new PartitionNotice.Gone(ID, self));
  }

  @Test
  void isThatItsWorkerHasToStopAndWhy() {
    var elapsed = Duration.ofSeconds(2);
    var cancelling = Samples.cancelling();
    Outbox.stop(Samples.running(), credit, elapsed, self);
    Outbox.stop(cancelling, null, elapsed, self);
    Outbox.stop(after(Samples.queuedParent(), cancel()), credit, elapsed, self);
    assertThat(worker.hasMessages()).isFalse();

    var request = ((Phase.Stopping) cancelling.phase()).request();
    stops(cancelling, Cancellation.Cause.REQUESTED, request.reason(), request.by());
    stops(
        after(Samples.running(), timeOut(1)),
        Cancellation.Cause.TIMEOUT,
        "it ran longer than its timeout",
        "handoff");
    var silent = new JobCommand.TimeOut(1, Phase.StopCause.HEARTBEAT);
    stops(
        after(Samples.running(), silent),
        Cancellation.Cause.HEARTBEAT,
        "it gave no sign of life",
        "handoff");
  }

  private void stops(JobState job, Cancellation.Cause cause, String reason, String by) {
    var elapsed = Duration.ofSeconds(2);
    Outbox.stop(job, credit, elapsed, self);
    var why = new Cancellation(cause, reason, by);
    assertThat(worker.getAllReceived())
        .containsExactly(new WorkerOrder.Stop(41, ID, 1, why, elapsed, self));
  }

  private WorkerOrder.Run run(JobState job) {
    return new WorkerOrder.Run(41, ID, 1, job.spec(), null, self);
  }

  @Test
  void isThatItTakesAnOfferOrNot() {
    var offer = new Asker.Offer(credit, environment, self);
    offer.decided(Verdict.DONE, Samples.claimed());
    assertThat(dispatcher.getAllReceived())
        .containsExactly(new JobNotice.Taken(ID, 1, "images", credit, self));
    assertThat(worker.getAllReceived()).containsExactly(run(Samples.claimed()));

    offer.decided(Verdict.DECLINED, Samples.queued());
    assertThat(dispatcher.getAllReceived()).containsExactly(declined(), ready(NOW));
    offer.refused(Samples.queued(), "no");
    assertThat(dispatcher.getAllReceived())
        .containsExactly(declined(), ready(NOW.plus(JobHarness.SETTINGS.repeat())));
    offer.unavailable(Samples.queued(), "no", SOON);
    assertThat(dispatcher.getAllReceived()).containsExactly(declined(), ready(NOW.plus(SOON)));
    offer.unknown(Samples.queued(), "no", SOON);
    assertThat(dispatcher.hasMessages()).isFalse();
    assertThat(worker.hasMessages()).isFalse();
  }

  @Test
  void isBothToWhoSubmitsItAndToTheWorkerAtHand() {
    var first = new Asker.Submitter(submitter.getRef());
    var both = new Asker.WithClaim(first, new Asker.Offer(credit, environment, self));
    both.decided(Verdict.DONE, Samples.claimed());
    assertThat(submitter.getAllReceived()).containsExactly(new SubmitReply.Accepted(ID));
    assertThat(dispatcher.getAllReceived()).hasSize(1);
    assertThat(worker.getAllReceived()).hasSize(1);

    both.refused(Samples.queued(), "no");
    both.unavailable(Samples.queued(), "away", SOON);
    assertThat(submitter.getAllReceived())
        .containsExactly(new SubmitReply.Refused("no"), new SubmitReply.Unavailable("away", SOON));
    assertThat(dispatcher.getAllReceived()).containsExactly(declined(), declined());
    both.unknown(Samples.queued(), "lost", SOON);
    assertThat(submitter.getAllReceived()).containsExactly(new SubmitReply.Unknown("lost", SOON));
    assertThat(dispatcher.hasMessages()).isFalse();
  }
}
