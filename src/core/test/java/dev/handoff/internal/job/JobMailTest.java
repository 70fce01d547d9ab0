package dev.handoff.internal.job;

import static dev.handoff.internal.job.JobSituations.ID;
import static dev.handoff.internal.job.JobSituations.NOW;
import static dev.handoff.internal.job.JobSituations.WORKER;
import static dev.handoff.internal.job.JobSituations.after;
import static dev.handoff.internal.job.JobSituations.cancel;
import static dev.handoff.internal.job.JobSituations.timeOut;
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
    JobMessages.ready(JobSituations.running(), environment, self);
    assertThat(dispatcher.hasMessages()).isFalse();
    JobMessages.ready(JobSituations.queued(), environment, self);
    JobMessages.ready(JobSituations.scheduled(), environment, self);
    assertThat(dispatcher.getAllReceived())
        .containsExactly(ready(NOW), ready(NOW.plusSeconds(3600)));

    clock.move(Duration.ofHours(-1));
    JobMessages.ready(JobSituations.queued(), environment, self);
    assertThat(dispatcher.getAllReceived()).containsExactly(ready(clock.instant()));
    clock.move(Duration.ofHours(2));
    JobMessages.ready(JobSituations.queued(), environment, self);
    assertThat(dispatcher.getAllReceived()).containsExactly(ready(NOW));
  }

  @Test
  void isThatItIsAboutToBeReadyOrReadyLater() {
    JobMessages.aboutToBeReady(JobSituations.queued(), environment, self);
    JobMessages.readyAfter(SOON, JobSituations.queued(), environment, self);
    JobMessages.readyAfter(SOON, JobSituations.running(), environment, self);

    var notices = dispatcher.getAllReceived();
    assertThat(notices)
        .containsExactly(new JobNotice.AboutToBeReady(ready(NOW)), ready(NOW.plus(SOON)));
    assertThat(notices.getFirst().job()).isEqualTo(ID);
  }

  @Test
  void isWhereItStands() {
    JobMessages.standing(JobSituations.queued(), environment, self);
    JobMessages.standing(JobSituations.running(), environment, self);
    JobMessages.standing(JobSituations.succeeded(), environment, self);

    assertThat(dispatcher.getAllReceived())
        .containsExactly(ready(NOW), new JobNotice.Underway(ID, 1, "images", WORKER, self));
  }

  @Test
  void isThatItIsOver() {
    JobMessages.over(JobSituations.running(), JobSituations.succeeded(), environment, self);
    assertThat(dispatcher.getAllReceived()).containsExactly(new JobNotice.Freed(ID, 1, "images"));
    assertThat(partition.getAllReceived()).containsExactly(new PartitionNotice.Gone(ID, self));

    JobMessages.over(JobSituations.queued(), JobSituations.cancelled(), environment, self);
    assertThat(dispatcher.getAllReceived()).containsExactly(new JobNotice.Withdrawn(ID, self));

    JobMessages.over(JobSituations.waiting(), JobSituations.cancelled(), environment, self);
    assertThat(dispatcher.hasMessages()).isFalse();
  }

  @Test
  void isThatItLeavesNoRow() {
    var drops = new HistoryRules(new HistoryRules.Rule(true, false), Map.of());

    JobMessages.over(JobSituations.running(), JobSituations.succeeded(), environment(drops), self);

    assertThat(partition.getAllReceived())
        .containsExactly(
            new PartitionNotice.Dropped(JobSituations.succeeded()),
            new PartitionNotice.Gone(ID, self));
  }

  @Test
  void isThatItsWorkerHasToStopAndWhy() {
    var elapsed = Duration.ofSeconds(2);
    var cancelling = JobSituations.cancelling();
    JobMessages.stop(JobSituations.running(), credit, elapsed, self);
    JobMessages.stop(cancelling, null, elapsed, self);
    JobMessages.stop(after(JobSituations.queuedParent(), cancel()), credit, elapsed, self);
    assertThat(worker.hasMessages()).isFalse();

    var request = ((JobPhase.Stopping) cancelling.phase()).request();
    stops(cancelling, Cancellation.Cause.REQUESTED, request.reason(), request.by());
    stops(
        after(JobSituations.running(), timeOut(1)),
        Cancellation.Cause.TIMEOUT,
        "it ran longer than its timeout",
        "handoff");
    var silent = new JobCommand.TimeOut(1, JobPhase.StopCause.HEARTBEAT);
    stops(
        after(JobSituations.running(), silent),
        Cancellation.Cause.HEARTBEAT,
        "it gave no sign of life",
        "handoff");
  }

  private void stops(JobState job, Cancellation.Cause cause, String reason, String by) {
    var elapsed = Duration.ofSeconds(2);
    JobMessages.stop(job, credit, elapsed, self);
    var why = new Cancellation(cause, reason, by);
    assertThat(worker.getAllReceived())
        .containsExactly(new WorkerOrder.Stop(41, ID, 1, why, elapsed, self));
  }

  @Test
  void isThatItTakesAnOfferOrNot() {
    var offer = new Requester.Offer(credit, environment, self);
    offer.decided(CommandVerdict.DONE, JobSituations.claimed());
    assertThat(dispatcher.hasMessages()).isFalse();

    offer.decided(CommandVerdict.DECLINED, JobSituations.queued());
    assertThat(dispatcher.getAllReceived()).containsExactly(declined(), ready(NOW));
    offer.refused(JobSituations.queued(), "no");
    assertThat(dispatcher.getAllReceived())
        .containsExactly(declined(), ready(NOW.plus(JobHarness.SETTINGS.repeat())));
    offer.unavailable(JobSituations.queued(), "no", SOON);
    assertThat(dispatcher.getAllReceived()).containsExactly(declined(), ready(NOW.plus(SOON)));
    offer.unknown(JobSituations.queued(), "no", SOON);
    assertThat(dispatcher.hasMessages()).isFalse();
    assertThat(worker.hasMessages()).isFalse();
  }

  @Test
  void isBothToWhoSubmitsItAndToTheWorkerAtHand() {
    var first = new Requester.Submitter(submitter.getRef());
    var both = new Requester.WithClaim(first, new Requester.Offer(credit, environment, self));
    both.decided(CommandVerdict.DONE, JobSituations.claimed());
    assertThat(submitter.getAllReceived()).containsExactly(new SubmitReply.Accepted(ID));
    assertThat(dispatcher.hasMessages()).isFalse();

    both.refused(JobSituations.queued(), "no");
    both.unavailable(JobSituations.queued(), "away", SOON);
    assertThat(submitter.getAllReceived())
        .containsExactly(new SubmitReply.Refused("no"), new SubmitReply.Unavailable("away", SOON));
    assertThat(dispatcher.getAllReceived()).containsExactly(declined(), declined());
    both.unknown(JobSituations.queued(), "lost", SOON);
    assertThat(submitter.getAllReceived()).containsExactly(new SubmitReply.Unknown("lost", SOON));
    assertThat(dispatcher.hasMessages()).isFalse();
  }
}
