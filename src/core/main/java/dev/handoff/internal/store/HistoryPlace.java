package dev.handoff.internal.store;

import java.time.Instant;

/// Position in history, ordered by end time and then by id: behind the row of this id.
public record HistoryPlace(Instant finishedAt, String id) {

  /// Position before all rows.
  public static final HistoryPlace START = new HistoryPlace(Instant.MIN, "");
}
