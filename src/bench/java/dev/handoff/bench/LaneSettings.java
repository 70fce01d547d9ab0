package dev.handoff.bench;

/// How a lane of `bench durable` runs our engine.
///
/// @param keepsHistory whether jobs that succeeded are kept, as they are by default
/// @param inBatches whether a lot of jobs is one submission, and not one each
record LaneSettings(int workers, boolean keepsHistory, boolean inBatches) {

  /// The defaults: history is kept, and jobs are submitted one by one.
  static LaneSettings of(int workers) {
    return new LaneSettings(workers, true, false);
  }

  LaneSettings withoutHistory() {
    return new LaneSettings(workers, false, inBatches);
  }

  LaneSettings withBatches() {
    return new LaneSettings(workers, keepsHistory, true);
  }
}
