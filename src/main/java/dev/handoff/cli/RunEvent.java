package dev.handoff.cli;

import dev.handoff.JobInfo;

/// What happens during a run, told to its one thread.
sealed interface RunEvent {

  /// The line of a job that comes from the store, not from a file.
  int NO_LINE = 0;

  /// A job of the file is durable.
  ///
  /// @param known whether it was there before
  record Accepted(boolean known) implements RunEvent {}

  /// A job of the file cannot be taken.
  record Refused(int line, String reason) implements RunEvent {}

  /// A job of the file has ended.
  record Ended(int line, JobInfo job) implements RunEvent {}

  /// All jobs of the file have been handed in.
  ///
  /// @param jobs how many that were
  record AllHandedIn(long jobs) implements RunEvent {}

  /// The file cannot be read on.
  record Broken(String reason) implements RunEvent {}

  /// How many other jobs of the store still run or will soon.
  record Others(long count) implements RunEvent {}

  /// Something that is to be said on the way.
  record Told(String words) implements RunEvent {}

  record EngineDown(String reason) implements RunEvent {}

  /// Somebody wants the run to stop: `INT`, `TERM` or `HUP`.
  record Signalled(String signal) implements RunEvent {}

  /// The engine is closed.
  record Closed() implements RunEvent {}
}
