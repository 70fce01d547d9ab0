package dev.handoff.internal.job;

import dev.handoff.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;

/// Answers for jobs without an actor, either in history or unknown.
public final class EndedJobAnswers {

  private EndedJobAnswers() {}

  /// Answers a message to an ended job, by the rules of live jobs.
  public static void answer(
      Job.Command message, JobState ended, Instant now, RandomGenerator random) {
    switch (message) {
      case Job.Do(var command, var replyTo) ->
          new Requester.Caller(() -> now, replyTo)
              .decided(ended.decide(command, now, random).verdict(), ended);
      case Job.UpdateAttempt(var command, var replyTo) ->
          new Requester.Worker(command.attempt(), replyTo)
              .decided(ended.decide(command, now, random).verdict(), ended);
      case Job.AddChild(int attempt, var spec, var replyTo) ->
          replyTo.tell(
              new ChildReply.Declined(ended.id(), CommandVerdict.ALREADY_FINISHED, List.of()));
      case Job.Get(var replyTo) -> replyTo.tell(new StateReply.Found(ended));
      case Job.Watch(var replyTo) -> replyTo.tell(new WatchReply.Ended(ended));
      case Job.SameKey(var spec, var replyTo) -> replyTo.tell(sameKey(ended, spec));
      case Job.Claim late -> {}
      case Job.Internal late -> {}
    }
  }

  /// Compares a submission with the holder of its key.
  public static SubmitReply sameKey(JobState job, JobSpec submitted) {
    return job.spec().hasSameContent(submitted)
        ? new SubmitReply.Existing(job.id())
        : new SubmitReply.KeyConflict(job.id(), String.valueOf(submitted.key()));
  }

  /// Refuses a message to an unknown job.
  public static void notFound(Job.Command message, JobId id) {
    JobRefusal.notFound(id).tell(message);
  }

  /// Refuses a message while history is unreadable.
  public static void unavailable(
      Job.Command message, JobId id, String reason, Duration retryAfter) {
    JobRefusal.unavailable(id, reason, retryAfter).tell(message);
  }
}
