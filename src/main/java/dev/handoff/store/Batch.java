package dev.handoff.store;

import java.util.List;

/// What one write makes durable: everything in it, or nothing.
///
/// @param seq the number of this batch: one more than that of the batch before it
/// @param facts the ledger row, already encoded
/// @param ended history rows of what ended in this batch
/// @param reopened ids whose history rows go away because this batch opens them again
/// @param keptKeys keys of what ended in this batch and has no history row
public record Batch(
    int partition,
    long incarnation,
    long seq,
    byte[] facts,
    List<HistoryRow> ended,
    List<String> reopened,
    List<KeptKey> keptKeys) {

  public Batch {
    ended = List.copyOf(ended);
    reopened = List.copyOf(reopened);
    keptKeys = List.copyOf(keptKeys);
  }

  /// A batch in which nothing leaves only its key.
  public Batch(
      int partition,
      long incarnation,
      long seq,
      byte[] facts,
      List<HistoryRow> ended,
      List<String> reopened) {
    this(partition, incarnation, seq, facts, ended, reopened, List.of());
  }
}
