package dev.handoff.job;

import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;

/// What a job, or the dispatcher, tells their partition. Local to the partition.
public sealed interface PartitionNotice extends NoSerializationVerificationNeeded {

  /// The job is over, or was never accepted. Answered with [Job.Retire], behind everything that was
  /// already on its way to the job.
  ///
  /// @param actor the one that says so: a later one of the same job is not meant
  record Gone(JobId job, ActorRef<Job.Command> actor) implements PartitionNotice {}

  /// The job is over and leaves no row in history. Told before [Gone].
  record Dropped(JobState ended) implements PartitionNotice {}

  /// The job's actor failed, and turns everything away; its state is what the ledger holds.
  ///
  /// @param actor the one that failed: a later one of the same job is not meant
  record Crashed(JobId job, ActorRef<Job.Command> actor, String cause) implements PartitionNotice {}

  /// An actor has failed, and has failed once more while it said so: for want of memory, most
  /// likely. Nobody knows who still waits for it.
  enum Disorder implements PartitionNotice {
    INSTANCE
  }

  /// A child was accepted together with a fact of its parent: it needs an actor.
  record Born(JobState child) implements PartitionNotice {}

  /// So many workers are at hand for jobs that are submitted now. Told again after each question
  /// for one.
  record WorkersAtHand(int count) implements PartitionNotice {}

  /// A message for another job of this partition.
  record Forward(ForJob message) implements PartitionNotice {}
}
