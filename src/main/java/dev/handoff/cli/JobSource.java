package dev.handoff.cli;

/// Where the jobs of a run come from. Tells the run of each of them, and of its end, in events.
interface JobSource {

  /// Tells nothing more.
  void stop();
}
