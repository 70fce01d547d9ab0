package dev.handoff.bench;

/// Settings of a Handoff lane in `bench durable`.
///
/// @param keepsHistory whether succeeded jobs stay in history (default)
/// @param inBatches whether jobs are submitted in batches
/// @param partitions number of partitions, or `auto`
record LaneSettings(int workers, boolean keepsHistory, boolean inBatches, String partitions) {

  /// Default settings: history kept, single submissions.
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
