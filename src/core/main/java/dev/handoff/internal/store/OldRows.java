package dev.handoff.internal.store;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Result of scanning a range of history for rows to delete.
///
/// @param rows rows that may be deleted
/// @param next position behind the last scanned row
/// @param more whether further rows may follow
public record OldRows(List<OldRow> rows, HistoryPlace next, boolean more) {

  /// Rows per scan; reading them takes a few milliseconds.
  public static final int LOOKED_AT = 1_000;

  /// History row that may be deleted.
  public record OldRow(String id, String status, String kind) {}

  /// Builder of a scan's result, row by row.
  public static final class Look {
    private final ForgetSlice slice;
    private final List<OldRow> rows = new ArrayList<>();
    private HistoryPlace last;
    private int seen;

    public Look(ForgetSlice slice) {
      this.slice = slice;
      this.last = slice.after();
    }

    public void add(OldRow row, String type, String plan, Instant finishedAt) {
      seen++;
      last = new HistoryPlace(finishedAt, row.id());
      if (slice.takes(row.kind(), type, plan)) {
        rows.add(row);
      }
    }

    public OldRows done() {
      return new OldRows(List.copyOf(rows), last, seen == LOOKED_AT);
    }
  }
}
