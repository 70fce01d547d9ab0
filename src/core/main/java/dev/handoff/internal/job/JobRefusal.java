package dev.handoff.internal.job;

import dev.handoff.JobId;
import java.time.Duration;
import java.util.List;

/// Refusal of a message, in each sender's reply type.
sealed interface JobRefusal {

  JobId job();

  JobReply toCaller();

  ReportReply toWorker(int attempt);

  ChildReply toParent();

  StateReply toQuery();

  WatchReply toWatcher();

  SubmitReply toSubmitter();

  /// Temporary refusal: a retry may succeed.
  record Unavailable(JobId job, String reason, Duration retryAfter) implements JobRefusal {
    @Override
    public JobReply toCaller() {
      return new JobReply.Unavailable(job, reason, retryAfter);
    }

    @Override
    public ReportReply toWorker(int attempt) {
      return new ReportReply.Unavailable(job, reason, retryAfter);
    }

    @Override
    public ChildReply toParent() {
      return new ChildReply.Unavailable(job, reason, retryAfter);
    }

    @Override
    public StateReply toQuery() {
      return new StateReply.Unavailable(job, reason, retryAfter);
    }

    @Override
    public WatchReply toWatcher() {
      return new WatchReply.Unavailable(job, reason, retryAfter);
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
    public JobReply toCaller() {
      return new JobReply.NotFound(job);
    }

    @Override
    public ReportReply toWorker(int attempt) {
      return new ReportReply.Fenced(job, attempt, 0);
    }

    @Override
    public ChildReply toParent() {
      return new ChildReply.Declined(job, CommandVerdict.FENCED, List.of());
    }

    @Override
    public StateReply toQuery() {
      return new StateReply.NotFound(job);
    }

    @Override
    public WatchReply toWatcher() {
      return new WatchReply.NotFound(job);
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
      case Job.Do(var command, var replyTo) -> replyTo.tell(toCaller());
      case Job.UpdateAttempt(var command, var replyTo) -> replyTo.tell(toWorker(command.attempt()));
      case Job.AddChild(int attempt, var spec, var replyTo) -> replyTo.tell(toParent());
      case Job.Get(var replyTo) -> replyTo.tell(toQuery());
      case Job.Watch(var replyTo) -> replyTo.tell(toWatcher());
      case Job.SameKey(var spec, var replyTo) -> replyTo.tell(toSubmitter());
      case Job.Claim noAnswer -> {}
      case Job.Internal noAnswer -> {}
    }
  }
}
