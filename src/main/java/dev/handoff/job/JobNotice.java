package dev.handoff.job;

import java.time.Instant;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;

/// What a job tells the dispatcher of its partition. Local to the partition, in the order in which
/// it happens.
public sealed interface JobNotice extends NoSerializationVerificationNeeded {

  JobId job();

  /// The job wants a worker, from the given time on. Replaces what it said before. An offer that it
  /// has not answered is off if its actor was made anew; the same actor still answers it.
  record Ready(
      JobId job, String type, String queue, int priority, Instant due, ActorRef<Job.Command> ref)
      implements JobNotice {}

  /// The job is about to have facts written that make it ready. If a worker is at hand, and nobody
  /// is ready before it, its claim is written with them. Answered at once: with [Job.Claim], or
  /// with [Job.NoWorker].
  record AboutToBeReady(Ready ready) implements JobNotice {
    @Override
    public JobId job() {
      return ready.job();
    }
  }

  /// The claim is durable: the credit is used.
  record Taken(JobId job, int attempt, String queue, Credit credit, ActorRef<Job.Command> ref)
      implements JobNotice {}

  /// The job's actor was made anew while an attempt is under way: where is its worker? Answered
  /// with [Job.Restore], or with the worker's loss.
  record Underway(JobId job, int attempt, String queue, Claimant by, ActorRef<Job.Command> ref)
      implements JobNotice {}

  /// The job does not take the credit. If it still wants one, now or later, it says so again with
  /// [Ready].
  record Declined(JobId job, Credit credit) implements JobNotice {}

  /// The attempt that was [Taken] is over: its slot in the queue's limit is free.
  record Freed(JobId job, int attempt, String queue) implements JobNotice {}

  /// The job will not want a worker again, whatever this actor of it said before: drop it, and take
  /// back what it was offered.
  record Withdrawn(JobId job, ActorRef<Job.Command> ref) implements JobNotice {}
}
