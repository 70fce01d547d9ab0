package dev.handoff.internal.store;

import java.util.List;

/// Batch of one ledger write: all of it becomes durable, or nothing.
///
/// @param seq number of the batch, one more than its predecessor's
/// @param facts encoded ledger row
/// @param ended history rows of jobs and plans that ended in this batch
/// @param reopened ids of reopened jobs and plans, whose history rows are deleted
/// @param keptKeys keys of ended jobs without a history row
public record StoreBatch(
    int partition,
    long incarnation,
    long seq,
    byte[] facts,
    List<HistoryRow> ended,
    List<String> reopened,
    List<KeptKey> keptKeys) {

  public StoreBatch {
    ended = List.copyOf(ended);
    reopened = List.copyOf(reopened);
    keptKeys = List.copyOf(keptKeys);
  }

  /// Batch without kept keys.
  public StoreBatch(
      int partition,
      long incarnation,
      long seq,
      byte[] facts,
      List<HistoryRow> ended,
      List<String> reopened) {
    this(partition, incarnation, seq, facts, ended, reopened, List.of());
  }
}
