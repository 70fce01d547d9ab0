package dev.handoff.internal.store;

import java.sql.ResultSet;
import java.sql.SQLException;

/// Deletion of one slice of rows superseded by a complete checkpoint: ledger rows up to its base,
/// older checkpoints, and unfinished checkpoints of earlier owners.
final class SqlTrim {

  /// Size in bytes at which a slice ends: deletes are writes, and other tasks wait behind them.
  private static final long MOST_BYTES = 1 << 20;

  private static final String OLD_ROWS =
      """
      SELECT seq, length(facts) FROM handoff_ledger
       WHERE partition = ? AND seq <= ? ORDER BY seq LIMIT ?
      """;
  private static final String DELETE_ROWS =
      "DELETE FROM handoff_ledger WHERE partition = ? AND seq <= ?";
  private static final String OLD_CHUNKS =
      """
      SELECT base, incarnation, number, length(states) FROM handoff_checkpoint
       WHERE partition = ? AND NOT (base = ? AND incarnation = ?) AND (base <= ? OR incarnation < ?)
       LIMIT ?
      """;
  private static final String DELETE_CHUNK =
      """
      DELETE FROM handoff_checkpoint
       WHERE partition = ? AND base = ? AND incarnation = ? AND number = ?
      """;

  private final SqlWrites writes;
  private final int partition;
  private final PartitionRow row;
  private final int limit;
  private int taken;
  private long bytes;

  SqlTrim(SqlWrites writes, int partition, PartitionRow row, int limit) {
    this.writes = writes;
    this.partition = partition;
    this.row = row;
    this.limit = limit;
  }

  /// Deletes the slice. Returns whether more rows are left.
  boolean run() throws SQLException {
    return rows() || chunks();
  }

  /// Deleted bytes.
  long bytes() {
    return bytes;
  }

  private boolean rows() throws SQLException {
    long last = 0;
    boolean more = false;
    try (ResultSet old = writes.query(OLD_ROWS, partition, row.checkpoint(), limit + 1)) {
      while (old.next()) {
        if (full()) {
          more = true;
          break;
        }
        last = old.getLong(1);
        take(old.getLong(2));
      }
    }
    if (taken > 0) {
      writes.update(DELETE_ROWS, partition, last);
    }
    return more;
  }

  private boolean chunks() throws SQLException {
    var doomed = new java.util.ArrayList<Object[]>();
    boolean more = false;
    try (ResultSet old =
        writes.query(
            OLD_CHUNKS,
            partition,
            row.checkpoint(),
            row.checkpointIncarnation(),
            row.checkpoint(),
            row.incarnation(),
            limit + 1)) {
      while (old.next()) {
        if (full()) {
          more = true;
          break;
        }
        doomed.add(new Object[] {partition, old.getLong(1), old.getLong(2), old.getInt(3)});
        take(old.getLong(4));
      }
    }
    for (Object[] chunk : doomed) {
      writes.update(DELETE_CHUNK, chunk);
    }
    return more;
  }

  private boolean full() {
    return taken >= limit || bytes >= MOST_BYTES;
  }

  private void take(long size) {
    taken++;
    bytes += size;
  }
}
