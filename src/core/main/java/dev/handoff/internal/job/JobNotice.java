package dev.handoff.internal.job;

import dev.handoff.JobId;
import java.time.Instant;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;

/// Notice of a job to its dispatcher. Local to the partition, in order of events.
public sealed interface JobNotice extends NoSerializationVerificationNeeded {

  JobId job();

  /// Dispatcher as its jobs see it.
  interface Receiver {
    void tell(JobNotice notice);
  }

  /// The job wants a worker from a given time on. Replaces the job's earlier notice. A new actor of
  /// the job voids an unanswered offer; the same actor still answers it.
  record Ready(
      JobId job, String type, String queue, int priority, Instant due, ActorRef<Job.Command> ref)
      implements JobNotice {}

  /// The job is about to append facts that make it ready. If a worker is at hand, and no other job
  /// precedes, the claim joins that append. Answered immediately with [Job.Claim] or
  /// [Job.NoWorker].
  record AboutToBeReady(Ready ready) implements JobNotice {
    @Override
    public JobId job() {
      return ready.job();
    }
  }

  /// The claim is durable: the credit is used.
  record Taken(JobId job, int attempt, String queue, WorkerCredit credit, ActorRef<Job.Command> ref)
      implements JobNotice {}

  /// The job has a new actor and a running attempt, and asks for its worker. Answered with
  /// [Job.Restore], or with the worker's loss.
  record Underway(
      JobId job, int attempt, String queue, ClaimingWorker by, ActorRef<Job.Command> ref)
      implements JobNotice {}

  /// The job declines the credit. A job that still wants a worker sends [Ready] again.
  record Declined(JobId job, WorkerCredit credit) implements JobNotice {}

  /// The attempt of [Taken] ended and frees its queue slot.
  record Freed(JobId job, int attempt, String queue) implements JobNotice {}

  /// The job needs no worker any more, despite earlier notices of this actor: the dispatcher
  /// removes the job and takes back the offered credit.
  record Withdrawn(JobId job, ActorRef<Job.Command> ref) implements JobNotice {}
}
