package dev.handoff.internal.store.sqlite;

import dev.handoff.internal.store.BatchCheck;
import dev.handoff.internal.store.HistoryRow;
import dev.handoff.internal.store.HistoryTable;
import dev.handoff.internal.store.KeptKey;
import dev.handoff.internal.store.SqlDialect;
import dev.handoff.internal.store.SqlWrites;
import dev.handoff.internal.store.StoreBatch;
import dev.handoff.internal.store.WriteResult;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Writer to SQLite, within the transaction of the turn.
final class SqliteWrites extends SqlWrites {

  private static final String CLAIM =
      """
      UPDATE handoff_partition SET seq = ?, digest = ? WHERE id = ? AND incarnation = ? AND seq = ?
      """;
  private static final String FACTS =
      "INSERT INTO handoff_ledger (partition, seq, facts) VALUES (?, ?, ?)";
  private static final String REOPEN = "DELETE FROM handoff_history WHERE id = ? RETURNING status";
  private static final String END =
      "INSERT INTO handoff_history ("
          + HistoryTable.WRITTEN
          + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

  private static final String KEEP_KEY =
      """
      INSERT OR REPLACE INTO handoff_kept_key (key, id, fingerprint, ended_at) VALUES (?, ?, ?, ?)
      """;

  SqliteWrites(Connection connection, SqlDialect dialect) {
    super(connection, dialect);
  }

  @Override
  public WriteResult write(StoreBatch batch) throws SQLException {
    int partition = batch.partition();
    long digest = BatchCheck.digest(batch);
    long before = batch.seq() - 1;
    if (update(CLAIM, batch.seq(), digest, partition, batch.incarnation(), before) == 0) {
      return partition(partition).answer(batch);
    }
    update(FACTS, partition, batch.seq(), batch.facts());
    if (!batch.reopened().isEmpty() || !batch.ended().isEmpty()) {
      var counts = new HashMap<String, Integer>();
      reopen(batch, counts);
      end(batch, counts);
      count(partition, counts);
    }
    keepKeys(batch.keptKeys());
    return new WriteResult.Written(batch.seq());
  }

  private void keepKeys(List<KeptKey> keys) throws SQLException {
    if (keys.isEmpty()) {
      return;
    }
    PreparedStatement insert = prepare(KEEP_KEY);
    for (KeptKey kept : keys) {
      insert.setString(1, kept.key());
      insert.setString(2, kept.id());
      insert.setString(3, kept.fingerprint());
      insert.setLong(4, kept.endedAt().toEpochMilli());
      insert.addBatch();
    }
    insert.executeBatch();
  }

  private void reopen(StoreBatch batch, Map<String, Integer> counts) throws SQLException {
    for (String id : batch.reopened()) {
      try (ResultSet gone = query(REOPEN, id)) {
        while (gone.next()) {
          counts.merge(gone.getString(1), -1, Integer::sum);
        }
      }
    }
  }

  private void end(StoreBatch batch, Map<String, Integer> counts) throws SQLException {
    PreparedStatement insert = prepare(END);
    for (HistoryRow row : batch.ended()) {
      insert.setString(1, row.id());
      insert.setString(2, row.kind());
      insert.setString(3, row.status());
      insert.setString(4, row.type());
      insert.setString(5, row.queue());
      setText(insert, 6, row.key());
      setText(insert, 7, row.plan());
      insert.setString(8, row.labels());
      insert.setInt(9, row.attempt());
      insert.setLong(10, row.createdAt().toEpochMilli());
      insert.setLong(11, row.finishedAt().toEpochMilli());
      insert.setBytes(12, row.state());
      setText(insert, 13, row.fingerprint());
      insert.addBatch();
      counts.merge(row.status(), 1, Integer::sum);
    }
    if (!batch.ended().isEmpty()) {
      insert.executeBatch();
    }
  }

  /// SQLite reuses the freed pages by itself.
  @Override
  protected void trimmed(long bytes) {}

  private static void setText(PreparedStatement statement, int at, @Nullable String text)
      throws SQLException {
    if (text == null) {
      statement.setNull(at, Types.VARCHAR);
    } else {
      statement.setString(at, text);
    }
  }
}
