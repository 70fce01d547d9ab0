package dev.handoff.bench;

/// How a lane of `bench durable` runs our engine.
///
/// @param keepsHistory whether jobs that succeeded are kept, as they are by default
/// @param inBatches whether a lot of jobs is one submission, and not one each
/// @param partitions how many the store gets, or `auto`
record LaneSettings(int workers, boolean keepsHistory, boolean inBatches, String partitions) {

  /// The defaults: history is kept, and jobs are submitted one by one.
  static LaneSettings of(int workers) {
    return new LaneSettings(workers, true, false, "auto");
  }

  LaneSettings withoutHistory() {
    return new LaneSettings(workers, false, inBatches, partitions);
  }

  LaneSettings withPartitions(String number) {
    return new LaneSettings(workers, keepsHistory, inBatches, number);
  }

  LaneSettings withBatches() {
    return new LaneSettings(workers, keepsHistory, true, partitions);
  }
}
