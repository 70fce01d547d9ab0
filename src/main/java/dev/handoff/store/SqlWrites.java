package dev.handoff.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Writing over JDBC, as far as both databases do it with the same statements. Writing a batch is
/// where the time goes, and each has its own way for that.
abstract class SqlWrites extends SqlSession implements Writes {

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
      SELECT id, status FROM handoff_history WHERE finished_at < ? ORDER BY finished_at LIMIT ?
      """;
  private static final String FORGET = "DELETE FROM handoff_history WHERE id = ?";
  private static final String COUNT =
      """
      INSERT INTO handoff_history_count AS c (partition, status, n) VALUES (?, ?, ?)
          ON CONFLICT (partition, status) DO UPDATE SET n = c.n + excluded.n
      """;
  private static final String BLOB =
      "INSERT INTO handoff_blob (sha256, bytes) VALUES (?, ?) ON CONFLICT DO NOTHING";

  /// Whose counts hold what retention took away: it knows no partitions.
  private static final int NO_PARTITION = -1;

  SqlWrites(Connection connection, Dialect dialect) {
    super(connection, dialect);
  }

  @Override
  public Ownership takeOver(int partition, String owner) throws SQLException {
    try (ResultSet row = query(TAKE_OVER, owner, partition)) {
      if (!row.next()) {
        throw new StoreException.Unreadable("partition " + partition + " has no row", null);
      }
      return new Ownership(partition, row.getLong(1), row.getLong(2));
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

  /// Told how much was deleted.
  abstract void trimmed(long bytes);

  /// Deletes by id. One statement could do both, but a planner that knows no limit yet would read
  /// the whole table for it.
  @Override
  public int forget(Instant finishedBefore, int limit) throws SQLException {
    var statuses = new ArrayList<String>();
    PreparedStatement delete = prepare(FORGET);
    try (ResultSet row = query(OLDEST, HistoryTable.millis(finishedBefore), limit)) {
      while (row.next()) {
        delete.setString(1, row.getString(1));
        delete.addBatch();
        statuses.add(row.getString(2));
      }
    }
    return statuses.isEmpty() ? 0 : forget(delete.executeBatch(), statuses);
  }

  /// Counts those that were still there: their owner may have opened some again meanwhile.
  private int forget(int[] deleted, List<String> statuses) throws SQLException {
    var changes = new HashMap<String, Integer>();
    for (int at = 0; at < deleted.length; at++) {
      if (deleted[at] == 1) {
        changes.merge(statuses.get(at), -1, Integer::sum);
      }
    }
    count(NO_PARTITION, changes);
    return -changes.values().stream().mapToInt(Integer::intValue).sum();
  }

  /// Keeps the counts of history in step with its rows.
  void count(int partition, Map<String, Integer> changes) throws SQLException {
    for (var change : changes.entrySet()) {
      update(COUNT, partition, change.getKey(), change.getValue());
    }
  }

  @Override
  public void putBlobs(Map<String, byte[]> contents) throws SQLException {
    for (var content : contents.entrySet()) {
      update(BLOB, content.getKey(), content.getValue());
    }
  }
}
