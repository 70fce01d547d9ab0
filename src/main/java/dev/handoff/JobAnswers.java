package dev.handoff;

import dev.handoff.job.JobId;
import dev.handoff.job.JobReply;
import dev.handoff.job.SubmitReply;
import org.jspecify.annotations.Nullable;

/// Translates replies of jobs and partitions into the public answers.
record JobAnswers(Handoff handoff) {

  Cancelling.CancelRequestAnswer requested(JobReply reply) {
    return switch (reply) {
      case JobReply.Done done -> Cancelling.CancelRequestAnswer.REQUESTED;
      case JobReply.AlreadyFinished over -> Cancelling.CancelRequestAnswer.ALREADY_FINISHED;
      case JobReply.NotFound none ->
          handoff.mayDrop()
              ? Cancelling.CancelRequestAnswer.NOT_KEPT
              : Cancelling.CancelRequestAnswer.NOT_FOUND;
      case JobReply other -> throw new UnavailableException(other);
    };
  }

  RetryAnswer retried(JobId id, @Nullable JobReply reply, @Nullable Throwable failure) {
    return switch (reply) {
      case null -> new RetryAnswer.Unavailable(Handoff.reason(failure), handoff.retryAfter());
      case JobReply.Done done -> new RetryAnswer.Reopened(handoff.handle(id));
      case JobReply.AlreadyFinished(var state) ->
          new RetryAnswer.NotPossible(id, state.status(handoff.now()));
      case JobReply.Declined(var state, var reason) ->
          new RetryAnswer.NotPossible(id, state.status(handoff.now()));
      case JobReply.NotFound none ->
          handoff.mayDrop() ? new RetryAnswer.NotKept(id) : new RetryAnswer.NotFound(id);
      case JobReply.Unavailable(var job, var reason, var retryAfter) ->
          new RetryAnswer.Unavailable(reason, retryAfter);
      case JobReply other ->
          new RetryAnswer.Unavailable(
              new UnavailableException(other).getMessage(), handoff.retryAfter());
    };
  }

  Submission submission(@Nullable SubmitReply reply, @Nullable Throwable failure) {
    return switch (reply) {
      case null -> new Submission.Unavailable(Handoff.reason(failure), handoff.retryAfter());
      case SubmitReply.Accepted(var id) -> new Submission.Accepted(handoff.handle(id));
      case SubmitReply.Existing(var id) -> new Submission.Existing(handoff.handle(id));
      case SubmitReply.KeyConflict(var holder, var key) -> new Submission.KeyConflict(key, holder);
      case SubmitReply.Refused(var reason) -> new Submission.Refused(reason);
      case SubmitReply.Unavailable(var reason, var retryAfter) ->
          new Submission.Unavailable(reason, retryAfter);
    };
  }
}
