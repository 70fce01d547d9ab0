package dev.handoff.internal.job;

/// Verdict of a job on a command.
public enum CommandVerdict {
  /// The command took effect, now or earlier.
  DONE,
  /// The job's state does not allow the command.
  DECLINED,
  /// The command's attempt is no longer current.
  FENCED,
  /// Only the plan of this step reopens it.
  STEP_OF_A_PLAN,
  /// The job has ended for good.
  ALREADY_FINISHED,
  /// A stop is durable: the attempt may not submit further children.
  BEING_CANCELLED,
  /// A child with this key has different content.
  KEY_CONFLICT,
  /// The job has the maximum number of children.
  TOO_MANY_CHILDREN
}
