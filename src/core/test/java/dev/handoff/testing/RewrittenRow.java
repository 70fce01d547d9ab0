package dev.handoff.testing;

import dev.handoff.internal.store.HistoryRow;
import java.time.Instant;

/// Copies of a history row with one changed column.
public final class RewrittenRow {

  private RewrittenRow() {}

  public static HistoryRow id(HistoryRow row, String id) {
    return of(row, id, row.finishedAt(), row.state());
  }

  public static HistoryRow finishedAt(HistoryRow row, Instant finishedAt) {
    return of(row, row.id(), finishedAt, row.state());
  }

  public static HistoryRow state(HistoryRow row, byte... state) {
    return of(row, row.id(), row.finishedAt(), state);
  }

  private static HistoryRow of(HistoryRow row, String id, Instant finishedAt, byte[] state) {
    return new HistoryRow(
        id,
        row.kind(),
        row.status(),
        row.type(),
        row.queue(),
        row.key(),
        row.plan(),
        row.labels(),
        row.attempt(),
        row.createdAt(),
        finishedAt,
        state,
        row.fingerprint());
  }
}
