package dev.handoff.store;

import java.time.Instant;

/// A place in history in the order of ends: behind the row of this id, among those that finished at
/// the same time.
public record HistoryPlace(Instant finishedAt, String id) {

  /// Before everything.
  public static final HistoryPlace START = new HistoryPlace(Instant.MIN, "");
}
