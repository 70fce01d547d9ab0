package dev.handoff.internal.job;

import dev.handoff.JobId;
import java.time.Duration;

/// Refusal of a message, in each sender's reply type.
sealed interface JobRefusal {

  JobId job();

  /// Reply to an attempt.
  JobReply toAttempt(int attempt);

  /// Reply to any other requester.
  JobReply reply();

  SubmitReply toSubmitter();

  /// Temporary refusal: a retry may succeed.
  record Unavailable(JobId job, String reason, Duration retryAfter) implements JobRefusal {
    @Override
    public JobReply toAttempt(int attempt) {
      return reply();
    }

    @Override
    public JobReply reply() {
      return new JobReply.Unavailable(job, reason, retryAfter);
    }

    @Override
    public SubmitReply toSubmitter() {
      return new SubmitReply.Unavailable(reason, retryAfter);
    }
  }

  /// The job does not exist.
  record NotFound(JobId job) implements JobRefusal {

    private static final Duration AT_ONCE = Duration.ofMillis(100);

    @Override
    public JobReply toAttempt(int attempt) {
      return new JobReply.Fenced(job, attempt, 0);
    }

    @Override
    public JobReply reply() {
      return new JobReply.NotFound(job);
    }

    /// The submission waited for its key's former holder; the key is free now.
    @Override
    public SubmitReply toSubmitter() {
      return new SubmitReply.Unavailable(
          "the job " + job + " with this key was not accepted", AT_ONCE);
    }
  }

  static JobRefusal unavailable(JobId job, String reason, Duration retryAfter) {
    return new Unavailable(job, reason, retryAfter);
  }

  static JobRefusal notFound(JobId job) {
    return new NotFound(job);
  }

  default void tell(Job.Command message) {
    switch (message) {
      case Job.Do(JobCommand.OfAttempt about, var replyTo) ->
          replyTo.tell(toAttempt(about.attempt()));
      case Job.Do(var command, var replyTo) -> replyTo.tell(reply());
      case Job.AddChild(int attempt, var spec, var replyTo) -> replyTo.tell(reply());
      case Job.Get(var replyTo) -> replyTo.tell(reply());
      case Job.Watch(var replyTo) -> replyTo.tell(reply());
      case Job.SameKey(var spec, var replyTo) -> replyTo.tell(toSubmitter());
      case Job.Claim noAnswer -> {}
      case Job.Internal noAnswer -> {}
    }
  }
}
