package dev.handoff.store;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// A stretch of history that was looked through, and the rows of it that may be deleted.
///
/// @param rows those that may go
/// @param next behind the last one that was looked at
/// @param more whether there are others behind it
record OldRows(List<OldRow> rows, HistoryPlace next, boolean more) {

  /// How many rows one look takes. Reading so many costs a few milliseconds.
  static final int LOOKED_AT = 1_000;

  /// A history row that may be deleted.
  record OldRow(String id, String status, String kind) {}

  /// Puts a stretch together, row by row.
  static final class Look {
    private final ForgetSlice slice;
    private final List<OldRow> rows = new ArrayList<>();
    private HistoryPlace last;
    private int seen;

    Look(ForgetSlice slice) {
      this.slice = slice;
      this.last = slice.after();
    }

    void add(OldRow row, String type, String plan, Instant finishedAt) {
      seen++;
      last = new HistoryPlace(finishedAt, row.id());
      if (slice.takes(row.kind(), type, plan)) {
        rows.add(row);
      }
    }

    OldRows done() {
      return new OldRows(List.copyOf(rows), last, seen == LOOKED_AT);
    }
  }
}
