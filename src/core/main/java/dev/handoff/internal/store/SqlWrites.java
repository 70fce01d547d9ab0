package dev.handoff.internal.store;

import dev.handoff.StoreException;
import dev.handoff.internal.store.OldRows.OldRow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Writes over JDBC with statements common to both databases. Batches dominate the cost, so each
/// database writes them in its own way.
public abstract class SqlWrites extends SqlSession implements StoreWrites {

  private static final String TAKE_OVER =
      """
      UPDATE handoff_partition SET incarnation = incarnation + 1, owner = ? WHERE id = ?
      RETURNING incarnation, seq
      """;
  private static final String CHUNK =
      """
      INSERT INTO handoff_checkpoint (partition, base, incarnation, number, last, states)
      SELECT id, ?, incarnation, ?, ?, ? FROM handoff_partition
       WHERE id = ? AND incarnation = ? AND checkpoint < ? AND seq >= ?
          ON CONFLICT (partition, base, incarnation, number)
          DO UPDATE SET last = excluded.last, states = excluded.states
      """;
  private static final String COMPLETE =
      """
      UPDATE handoff_partition SET checkpoint = ?, checkpoint_incarnation = incarnation
       WHERE id = ? AND incarnation = ? AND checkpoint < ?
         AND ? = (SELECT count(*) FROM handoff_checkpoint
                   WHERE partition = ? AND base = ? AND incarnation = ? AND number < ?)
      """;
  private static final String OLDEST =
      """
      SELECT id, status, kind FROM handoff_history
       WHERE finished_at < ? ORDER BY finished_at LIMIT ?
      """;
  private static final String FORGET =
      "DELETE FROM handoff_history WHERE id = ? AND finished_at < ?";
  private static final String OLDEST_KEYS =
      "SELECT key FROM handoff_kept_key WHERE ended_at < ? ORDER BY ended_at LIMIT ?";
  private static final String FORGET_KEY =
      "DELETE FROM handoff_kept_key WHERE key = ? AND ended_at < ?";
  private static final String COUNT =
      """
      INSERT INTO handoff_history_count AS c (partition, status, n) VALUES (?, ?, ?)
          ON CONFLICT (partition, status) DO UPDATE SET n = c.n + excluded.n
      """;

  /// Pseudo partition for the counts of rows deleted by retention, which knows no partitions.
  private static final int NO_PARTITION = -1;

  private final BlobWrites blobs;

  /// The content tables keep this session for later, and do not use it here.
  @SuppressWarnings("this-escape")
  protected SqlWrites(Connection connection, SqlDialect dialect) {
    super(connection, dialect);
    this.blobs = new BlobWrites(this, dialect.blobs(this));
  }

  @Override
  public PartitionOwnership takeOver(int partition, String owner) throws SQLException {
    try (ResultSet row = query(TAKE_OVER, owner, partition)) {
      if (!row.next()) {
        throw new StoreException.Unreadable("partition " + partition + " has no row", null);
      }
      return new PartitionOwnership(partition, row.getLong(1), row.getLong(2));
    }
  }

  @Override
  public WriteResult writeChunk(CheckpointChunk chunk) throws SQLException {
    int taken =
        update(
            CHUNK,
            chunk.base(),
            chunk.number(),
            chunk.last() ? 1 : 0,
            chunk.states(),
            chunk.partition(),
            chunk.incarnation(),
            chunk.base(),
            chunk.base());
    if (taken == 1 && (!chunk.last() || complete(chunk))) {
      return new WriteResult.Written(chunk.base());
    }
    WriteResult reason = partition(chunk.partition()).answer(chunk);
    return reason != null
        ? reason
        : new WriteResult.Refused("checkpoint " + chunk.base() + " has chunks that are missing");
  }

  private boolean complete(CheckpointChunk chunk) throws SQLException {
    return update(
            COMPLETE,
            chunk.base(),
            chunk.partition(),
            chunk.incarnation(),
            chunk.base(),
            chunk.number(),
            chunk.partition(),
            chunk.base(),
            chunk.incarnation(),
            chunk.number())
        == 1;
  }

  @Override
  public boolean trim(int partition, long incarnation, int limit) throws SQLException {
    PartitionRow row = partition(partition);
    if (row.incarnation() != incarnation) {
      return false;
    }
    var trim = new SqlTrim(this, partition, row, limit);
    boolean more = trim.run();
    trimmed(trim.bytes());
    return more;
  }

  /// Called with the number of deleted bytes.
  protected abstract void trimmed(long bytes);

  /// Releases a slice of earlier forgotten uses first: they block nothing, but take space. One
  /// slice per call, so that content rows are locked once, in order.
  @Override
  public int forget(Instant finishedBefore, int limit) throws SQLException {
    if (blobs.isPending()) {
      blobs.giveBack();
      return limit;
    }
    int deleted = delete(oldest(finishedBefore, limit), finishedBefore);
    if (!blobs.isPending()) {
      return deleted;
    }
    blobs.giveBack();
    return blobs.isPending() ? limit : deleted;
  }

  @Override
  public boolean forget(OldRows old, Instant finishedBefore) throws SQLException {
    if (blobs.isPending()) {
      blobs.giveBack();
      return false;
    }
    delete(old.rows(), finishedBefore);
    if (blobs.isPending()) {
      blobs.giveBack();
    }
    return !blobs.isPending();
  }

  private List<OldRow> oldest(Instant finishedBefore, int limit) throws SQLException {
    var rows = new ArrayList<OldRow>();
    try (ResultSet row = query(OLDEST, HistoryTable.millis(finishedBefore), limit)) {
      while (row.next()) {
        rows.add(new OldRow(row.getString(1), row.getString(2), row.getString(3)));
      }
    }
    return rows;
  }

  /// Deletes rows by id. A single statement could find and delete them, but a planner that does not
  /// know the limit would scan the whole table. Only rows still present and old enough are counted:
  /// a job may have been reopened meanwhile, and may have ended again.
  private int delete(List<OldRow> rows, Instant finishedBefore) throws SQLException {
    if (rows.isEmpty()) {
      return 0;
    }
    PreparedStatement delete = prepare(FORGET);
    for (var row : rows) {
      delete.setString(1, row.id());
      delete.setLong(2, HistoryTable.millis(finishedBefore));
      delete.addBatch();
    }
    int[] deleted = delete.executeBatch();
    var changes = new HashMap<String, Integer>();
    var plans = new ArrayList<String>();
    for (int at = 0; at < deleted.length; at++) {
      if (deleted[at] == 1) {
        changes.merge(rows.get(at).status(), -1, Integer::sum);
        if (rows.get(at).kind().equals(HistoryRow.PLAN)) {
          plans.add(rows.get(at).id());
        }
      }
    }
    blobs.forget(plans);
    count(NO_PARTITION, changes);
    return -changes.values().stream().mapToInt(Integer::intValue).sum();
  }

  /// Deletes old keys. The time is compared again, because a later job may have renewed a key.
  @Override
  public int forgetKeys(Instant endedBefore, int limit) throws SQLException {
    long before = HistoryTable.millis(endedBefore);
    var keys = new ArrayList<String>();
    try (ResultSet row = query(OLDEST_KEYS, before, limit)) {
      while (row.next()) {
        keys.add(row.getString(1));
      }
    }
    int deleted = 0;
    for (String key : keys) {
      deleted += update(FORGET_KEY, key, before);
    }
    return deleted;
  }

  /// Adjusts the counts of history rows.
  protected void count(int partition, Map<String, Integer> changes) throws SQLException {
    for (var change : changes.entrySet()) {
      update(COUNT, partition, change.getKey(), change.getValue());
    }
  }

  @Override
  void undone() {
    blobs.undone();
  }

  @Override
  public List<Set<String>> keepBlobs(List<BlobUse> asked) throws SQLException {
    return blobs.keep(asked);
  }
}
