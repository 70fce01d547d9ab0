package dev.handoff.job;

import org.apache.pekko.actor.NoSerializationVerificationNeeded;

/// What a job tells the partition that it lives in. Local to the partition.
public sealed interface PartitionNotice extends NoSerializationVerificationNeeded {

  /// The job is over and in history, or was never accepted. Answered with [Job.Retire], behind
  /// everything that was already on its way to the job.
  record Gone(JobId job) implements PartitionNotice {}

  /// The job's actor failed and has stopped; its state is what the ledger holds.
  record Crashed(JobId job, String cause) implements PartitionNotice {}

  /// A child was accepted together with a fact of its parent: it needs an actor.
  record Born(JobState child) implements PartitionNotice {}

  /// A message for another job of this partition.
  record Forward(ForJob message) implements PartitionNotice {}
}
