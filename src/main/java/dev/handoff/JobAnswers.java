package dev.handoff;

import dev.handoff.job.JobId;
import dev.handoff.job.JobReply;
import dev.handoff.job.JobState;
import dev.handoff.job.SubmitReply;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Translates replies of jobs and partitions into the public answers.
record JobAnswers(Handoff.Inside inside, Handoff handoff) {

  Cancelling.CancelRequestAnswer requested(JobReply reply) {
    return switch (reply) {
      case JobReply.Done done -> Cancelling.CancelRequestAnswer.REQUESTED;
      case JobReply.AlreadyFinished over -> Cancelling.CancelRequestAnswer.ALREADY_FINISHED;
      case JobReply.NotFound none ->
          mayDrop()
              ? Cancelling.CancelRequestAnswer.NOT_KEPT
              : Cancelling.CancelRequestAnswer.NOT_FOUND;
      case JobReply other -> throw new UnavailableException(other);
    };
  }

  RetryAnswer retried(JobId id, @Nullable JobReply reply, @Nullable Throwable failure) {
    return switch (reply) {
      case null ->
          new RetryAnswer.Unavailable(UnavailableException.of(failure).getMessage(), retryAfter());
      case JobReply.Done done -> new RetryAnswer.Reopened(handoff.handle(id));
      case JobReply.AlreadyFinished(var state) ->
          new RetryAnswer.NotPossible(id, state.status(now()));
      case JobReply.Declined(var state, var reason) ->
          new RetryAnswer.NotPossible(id, state.status(now()));
      case JobReply.NotFound none ->
          mayDrop() ? new RetryAnswer.NotKept(id) : new RetryAnswer.NotFound(id);
      case JobReply.Unavailable(var job, var reason, var retryAfter) ->
          new RetryAnswer.Unavailable(reason, retryAfter);
      case JobReply other ->
          new RetryAnswer.Unavailable(new UnavailableException(other).getMessage(), retryAfter());
    };
  }

  Submission submission(@Nullable SubmitReply reply, @Nullable Throwable failure) {
    return switch (reply) {
      case null ->
          new Submission.Unavailable(UnavailableException.of(failure).getMessage(), retryAfter());
      case SubmitReply.Accepted(var id) -> new Submission.Accepted(handoff.handle(id));
      case SubmitReply.Existing(var id) -> new Submission.Existing(handoff.handle(id));
      case SubmitReply.KeyConflict(var holder, var key) -> new Submission.KeyConflict(key, holder);
      case SubmitReply.Refused(var reason) -> new Submission.Refused(reason);
      case SubmitReply.Unavailable(var reason, var retryAfter) ->
          new Submission.Unavailable(reason, retryAfter);
      case SubmitReply.Unknown(var reason, var retryAfter) ->
          new Submission.Unavailable(reason, retryAfter);
    };
  }

  /// How a cancel ended at once.
  CancelReport cancelled(JobId id, JobReply reply) {
    return switch (reply) {
      case JobReply.Done(var state) -> Outcomes.report(state);
      case JobReply.AlreadyFinished(var state) -> new CancelReport.Already(id, state.status(now()));
      case JobReply.NotFound none ->
          mayDrop() ? new CancelReport.NotKept(id) : new CancelReport.NotFound(id);
      case JobReply other -> throw new UnavailableException(other);
    };
  }

  Optional<JobInfo> found(JobReply reply) {
    return switch (reply) {
      case JobReply.Done(var state) -> Optional.of(info(state));
      case JobReply.NotFound none -> Optional.empty();
      case JobReply other -> throw new UnavailableException(other);
    };
  }

  JobInfo info(JobState state) {
    return JobView.of(state, now());
  }

  /// Whether a job that is not there may have ended without a row of history.
  boolean mayDrop() {
    return inside.store().info().mayHaveDropped();
  }

  private Instant now() {
    return inside.submissions().clock().instant();
  }

  private Duration retryAfter() {
    return inside.settings().ledger().retryAfter();
  }
}
