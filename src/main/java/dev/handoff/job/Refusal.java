package dev.handoff.job;

import java.time.Duration;

/// Why a message for a job came to nothing, in the words that each sender understands.
record Refusal(JobReply reply, SubmitReply toSubmitter) {

  /// It was not taken, and may be later.
  static Refusal unavailable(JobId job, String reason, Duration retryAfter) {
    return new Refusal(
        new JobReply.Unavailable(job, reason, retryAfter),
        new SubmitReply.Unavailable(reason, retryAfter));
  }

  /// There is no such job.
  static Refusal notFound(JobId job) {
    return new Refusal(
        new JobReply.NotFound(job), new SubmitReply.Refused("job " + job + " does not exist"));
  }

  void tell(Job.Command message) {
    switch (message) {
      case Job.Do(var command, var replyTo) -> replyTo.tell(reply);
      case Job.AddChild(int attempt, var spec, var replyTo) -> replyTo.tell(reply);
      case Job.Get(var replyTo) -> replyTo.tell(reply);
      case Job.Watch(var replyTo) -> replyTo.tell(reply);
      case Job.SameKey(var spec, var replyTo) -> replyTo.tell(toSubmitter);
      case Job.Claim noAnswer -> {}
      case Job.Internal noAnswer -> {}
    }
  }
}
