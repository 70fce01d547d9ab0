package dev.handoff.job;

/// What a job answers to a command.
public enum Verdict {
  /// It is so, with this command or already before it.
  DONE,
  /// Not possible in this state.
  DECLINED,
  /// It came from an attempt that is not the current one.
  FENCED,
  /// The job is a step of a plan, and is opened again with it.
  STEP_OF_A_PLAN,
  /// The job has ended, and stays so.
  ALREADY_FINISHED,
  /// A cancel is durable: the attempt may not begin anything new.
  BEING_CANCELLED,
  /// A child with this key and other content exists.
  KEY_CONFLICT,
  /// It has as many children as a job may have.
  TOO_MANY_CHILDREN
}
