package dev.handoff.internal.facade;

import dev.handoff.CancelHandle;
import dev.handoff.CancelReport;
import dev.handoff.JobId;
import dev.handoff.JobInfo;
import dev.handoff.RetryAnswer;
import dev.handoff.Submission;
import dev.handoff.UnavailableException;
import dev.handoff.internal.job.JobReply;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.job.StateReply;
import dev.handoff.internal.job.SubmitReply;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Converts replies of jobs and partitions into public answers.
record JobAnswers(JobCalls jobs) {

  CancelHandle.CancelRequestAnswer requested(JobReply reply) {
    return switch (reply) {
      case JobReply.Done done -> CancelHandle.CancelRequestAnswer.REQUESTED;
      case JobReply.AlreadyFinished over -> CancelHandle.CancelRequestAnswer.ALREADY_FINISHED;
      case JobReply.NotFound none ->
          mayDrop()
              ? CancelHandle.CancelRequestAnswer.NOT_KEPT
              : CancelHandle.CancelRequestAnswer.NOT_FOUND;
      case JobReply other -> throw new UnavailableException(UnavailableReasons.of(other));
    };
  }

  RetryAnswer retried(JobId id, @Nullable JobReply reply, @Nullable Throwable failure) {
    return switch (reply) {
      case null -> new RetryAnswer.Unavailable(UnavailableReasons.of(failure), retryAfter());
      case JobReply.Done done -> new RetryAnswer.Reopened(jobs.handle(id));
      case JobReply.AlreadyFinished(var state) ->
          new RetryAnswer.NotPossible(id, state.status(now()));
      case JobReply.Declined(var state, var reason) ->
          new RetryAnswer.NotPossible(id, state.status(now()));
      case JobReply.NotFound none ->
          mayDrop() ? new RetryAnswer.NotKept(id) : new RetryAnswer.NotFound(id);
      case JobReply.Unavailable(var job, var reason, var retryAfter) ->
          new RetryAnswer.Unavailable(reason, retryAfter);
      case JobReply.Refused(var job, var reason) ->
          new RetryAnswer.Unavailable(reason, retryAfter());
    };
  }

  Submission submission(@Nullable SubmitReply reply, @Nullable Throwable failure) {
    return switch (reply) {
      case null -> new Submission.Unavailable(UnavailableReasons.of(failure), retryAfter());
      case SubmitReply.Accepted(var id) -> new Submission.Accepted(jobs.handle(id));
      case SubmitReply.Existing(var id) -> new Submission.Existing(jobs.handle(id));
      case SubmitReply.KeyConflict(var holder, var key) -> new Submission.KeyConflict(key, holder);
      case SubmitReply.Refused(var reason) -> new Submission.Refused(reason);
      case SubmitReply.Unavailable(var reason, var retryAfter) ->
          new Submission.Unavailable(reason, retryAfter);
      case SubmitReply.Unknown(var reason, var retryAfter) ->
          new Submission.Unavailable(reason, retryAfter);
    };
  }

  /// Report of a cancel that needed no wait for the job's end.
  CancelReport cancelled(JobId id, JobReply reply) {
    return switch (reply) {
      case JobReply.Done(var state) -> JobOutcomes.report(state);
      case JobReply.AlreadyFinished(var state) -> new CancelReport.Already(id, state.status(now()));
      case JobReply.NotFound none ->
          mayDrop() ? new CancelReport.NotKept(id) : new CancelReport.NotFound(id);
      case JobReply other -> throw new UnavailableException(UnavailableReasons.of(other));
    };
  }

  Optional<JobInfo> found(StateReply reply) {
    return switch (reply) {
      case StateReply.Found(var state) -> Optional.of(info(state));
      case StateReply.NotFound none -> Optional.empty();
      case StateReply.Unavailable(var job, var reason, var retryAfter) ->
          throw new UnavailableException(UnavailableReasons.of(reason, retryAfter));
    };
  }

  JobInfo info(JobState state) {
    return JobView.of(state, now());
  }

  /// Whether a missing job may have ended without a history row.
  boolean mayDrop() {
    return jobs.engine().store().info().mayHaveDropped();
  }

  private Instant now() {
    return jobs.engine().submissions().clock().instant();
  }

  private Duration retryAfter() {
    return jobs.engine().settings().ledger().retryAfter();
  }
}
