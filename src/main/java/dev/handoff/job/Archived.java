package dev.handoff.job;

import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;

/// Answers in the place of a job that has no actor: it is in history, or nowhere.
public final class Archived {

  private Archived() {}

  /// What an ended job says to a message. The same rules as for live ones decide.
  public static void answer(
      Job.Command message, JobState ended, Instant now, RandomGenerator random) {
    switch (message) {
      case Job.Do(var command, var replyTo) ->
          Asker.of(command, replyTo, () -> now)
              .decided(ended.decide(command, now, random).verdict(), ended);
      case Job.AddChild(int attempt, var spec, var replyTo) ->
          replyTo.tell(new JobReply.AlreadyFinished(ended));
      case Job.Get(var replyTo) -> replyTo.tell(new JobReply.Done(ended));
      case Job.Watch(var replyTo) -> replyTo.tell(new JobReply.Done(ended));
      case Job.SameKey(var spec, var replyTo) -> replyTo.tell(sameKey(ended, spec));
      case Job.Claim late -> {}
      case Job.Internal late -> {}
    }
  }

  /// Whether a submission with the key of a job is that job.
  public static SubmitReply sameKey(JobState job, JobSpec submitted) {
    return job.spec().hasSameContent(submitted)
        ? new SubmitReply.Existing(job.id())
        : new SubmitReply.KeyConflict(job.id(), String.valueOf(submitted.key()));
  }

  /// There is no such job.
  public static void notFound(Job.Command message, JobId id) {
    Refusal.notFound(id).tell(message);
  }

  /// History cannot be read now.
  public static void unavailable(
      Job.Command message, JobId id, String reason, Duration retryAfter) {
    Refusal.unavailable(id, reason, retryAfter).tell(message);
  }
}
