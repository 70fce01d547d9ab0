package dev.handoff.internal.job;

import dev.handoff.JobId;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;

/// Notice to the partition from a job or the dispatcher. Local to the partition.
public sealed interface PartitionNotice extends NoSerializationVerificationNeeded {

  /// The job ended, or was never accepted. Answered with [Job.Retire], behind all messages already
  /// in flight to the job.
  ///
  /// @param actor sender; a later actor of the same job is not affected
  record Gone(JobId job, ActorRef<Job.Command> actor) implements PartitionNotice {}

  /// The job ended without history row. Sent before [Gone].
  record Dropped(JobState ended) implements PartitionNotice {}

  /// The job's actor failed and refuses all messages; the ledger holds the job's state.
  ///
  /// @param actor actor that failed; a later actor of the same job is not affected
  record Crashed(JobId job, ActorRef<Job.Command> actor, String cause) implements PartitionNotice {}

  /// An actor failed twice, the second time while it answered its requesters, most likely for want
  /// of memory. The unanswered requesters are unknown.
  enum Disorder implements PartitionNotice {
    INSTANCE
  }

  /// A child was accepted in its parent's append, and needs an actor.
  record Born(JobState child) implements PartitionNotice {}

  /// Number of workers at hand for new jobs. Sent again after each request for a worker.
  record WorkersAtHand(int count) implements PartitionNotice {}

  /// Message for a job of this partition: a child, or the sender's own next actor.
  record Forward(JobEnvelope message) implements PartitionNotice {}
}
