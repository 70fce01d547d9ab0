package dev.handoff.cli;

/// Source of the jobs of a run. Reports jobs and their ends as events.
interface JobSource {

  /// Stops the source; no events follow.
  void stop();
}
