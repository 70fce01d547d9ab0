package dev.handoff.cli;

import dev.handoff.JobInfo;

/// Event of a run, for its single thread.
sealed interface RunEvent {

  /// Line number of a job that came from the store.
  int NO_LINE = 0;

  /// Durable acceptance of a job.
  ///
  /// @param known whether the job already existed
  record Accepted(boolean known) implements RunEvent {}

  /// Refusal of a job.
  record Refused(int line, String reason) implements RunEvent {}

  /// End of a job.
  record Ended(int line, JobInfo job) implements RunEvent {}

  /// Submission of the whole file.
  ///
  /// @param jobs number of jobs in the file
  record AllHandedIn(long jobs) implements RunEvent {}

  /// Read error in the file.
  record Broken(String reason) implements RunEvent {}

  /// Number of other jobs in the store that run now or soon.
  record Others(long count) implements RunEvent {}

  /// Message for the user.
  record Told(String words) implements RunEvent {}

  record EngineDown(String reason) implements RunEvent {}

  /// Stop request by a signal: `INT`, `TERM` or `HUP`.
  record Signalled(String signal) implements RunEvent {}

  /// End of the engine's shutdown.
  record Closed() implements RunEvent {}
}
