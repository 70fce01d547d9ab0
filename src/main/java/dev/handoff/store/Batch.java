package dev.handoff.store;

import java.util.List;

/// What one write makes durable: everything in it, or nothing.
///
/// @param seq the number of this batch: one more than that of the batch before it
/// @param facts the ledger row, already encoded
/// @param ended history rows of what ended in this batch
/// @param reopened ids whose history rows go away because this batch opens them again
public record Batch(
    int partition,
    long incarnation,
    long seq,
    byte[] facts,
    List<HistoryRow> ended,
    List<String> reopened) {

  public Batch {
    ended = List.copyOf(ended);
    reopened = List.copyOf(reopened);
  }
}
