package dev.handoff.job;

import java.time.Duration;

/// Why a message for a job came to nothing, in the words that each sender understands.
sealed interface Refusal {

  JobId job();

  /// What an attempt is told.
  JobReply toAttempt(int attempt);

  /// What everybody else is told.
  JobReply reply();

  SubmitReply toSubmitter();

  /// The message was not taken; the same message may be taken later.
  record Unavailable(JobId job, String reason, Duration retryAfter) implements Refusal {
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

  /// There is no such job.
  record NotFound(JobId job) implements Refusal {

    private static final Duration AT_ONCE = Duration.ofMillis(100);

    @Override
    public JobReply toAttempt(int attempt) {
      return new JobReply.Fenced(job, attempt, 0);
    }

    @Override
    public JobReply reply() {
      return new JobReply.NotFound(job);
    }

    /// A submission waited for the job that had its key, and its key is free now.
    @Override
    public SubmitReply toSubmitter() {
      return new SubmitReply.Unavailable(
          "the job " + job + " with this key was not accepted", AT_ONCE);
    }
  }

  static Refusal unavailable(JobId job, String reason, Duration retryAfter) {
    return new Unavailable(job, reason, retryAfter);
  }

  static Refusal notFound(JobId job) {
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
