package dev.handoff.internal.store;

import dev.handoff.StoreException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads over JDBC. Each call runs a few short statements. No transaction stays open between pages:
/// otherwise a slow reader would let SQLite's write-ahead log or PostgreSQL's dead rows grow.
public final class SqlReads extends SqlSession implements StoreReads {

  private static final String FIND =
      "SELECT " + HistoryTable.COLUMNS + " FROM handoff_history WHERE id = ?";

  /// Query along the index on `finished_at`, which has no types. The limit is a literal: a planner
  /// that does not know it might scan the whole table.
  public static final String OLD =
      """
      SELECT id, status, kind, type, plan, finished_at FROM handoff_history
       WHERE finished_at >= ? AND finished_at < ? AND (finished_at > ? OR id > ?)
       ORDER BY finished_at, id LIMIT %d
      """
          .formatted(OldRows.LOOKED_AT);

  private static final String KEPT =
      "SELECT id, key, fingerprint FROM handoff_kept_key WHERE key IN (%s)";
  private static final String COUNTS =
      "SELECT status, sum(n) FROM handoff_history_count GROUP BY status HAVING sum(n) <> 0";

  /// Numbers of keys per statement; few different statements, so that each is prepared once.
  private static final List<Integer> KEYS_AT_ONCE = List.of(1, 16, 256);

  private final int version;
  private final BlobReads blobs;

  /// @param version version of the store's tables
  public SqlReads(Connection connection, SqlDialect dialect, int version) {
    super(connection, dialect);
    this.version = version;
    this.blobs = dialect.blobReads(this);
  }

  @Override
  public PartitionReplay.Page replay(int partition, PartitionReplay.Position from)
      throws SQLException {
    PartitionRow row = partition(partition);
    try {
      return new SqlReplay(this, partition, row).page(from);
    } catch (StoreException.Unreadable missing) {
      PartitionRow now = partition(partition);
      if (!from.isOf(now.incarnation())) {
        throw PageBuilder.fenced(partition, now);
      }
      if (now.checkpoint() != row.checkpoint()) {
        throw PageBuilder.moved(partition);
      }
      throw missing;
    }
  }

  @Override
  public Optional<HistoryRow> find(String id) throws SQLException {
    if (!StorableText.storable(id)) {
      return Optional.empty();
    }
    try (ResultSet row = query(FIND, id)) {
      return row.next() ? Optional.of(HistoryTable.read(row)) : Optional.empty();
    }
  }

  @Override
  public List<HistoryRow> list(HistoryQuery query) throws SQLException {
    var where = HistoryTable.Where.of(query, dialect);
    var found = new ArrayList<HistoryRow>();
    if (where.matchesNothing()) {
      return found;
    }
    var values = new ArrayList<>(where.values());
    values.add(PageBuilder.historyRows(query));
    long bytes = 0;
    try (ResultSet row = query(dialect.historyPage(where.sql()), values.toArray())) {
      while (bytes < PageBuilder.MOST_HISTORY_BYTES && row.next()) {
        found.add(HistoryTable.read(row));
        bytes += found.getLast().state().length;
      }
    }
    return found;
  }

  @Override
  public OldRows old(ForgetSlice slice) throws SQLException {
    var look = new OldRows.Look(slice);
    long after = HistoryTable.millis(slice.after().finishedAt());
    long before = HistoryTable.millis(slice.before());
    try (ResultSet row = query(OLD, after, before, after, slice.after().id())) {
      while (row.next()) {
        look.add(
            new OldRows.OldRow(row.getString(1), row.getString(2), row.getString(3)),
            row.getString(4),
            row.getString(5),
            Instant.ofEpochMilli(row.getLong(6)));
      }
    }
    return look.done();
  }

  @Override
  public Map<String, KeyHolder> findKeys(Collection<String> keys) throws SQLException {
    var wanted = keys.stream().filter(StorableText::storable).distinct().toList();
    var found = new HashMap<String, KeyHolder>();
    for (int from = 0; from < wanted.size(); ) {
      int left = wanted.size() - from;
      int width = KEYS_AT_ONCE.stream().filter(size -> size >= left).findFirst().orElse(256);
      int to = Math.min(wanted.size(), from + width);
      findSome(wanted.subList(from, to), width, found);
      from = to;
    }
    return found;
  }

  private void findSome(List<String> keys, int width, Map<String, KeyHolder> found)
      throws SQLException {
    var values = new ArrayList<Object>(keys);
    values.addAll(Collections.nCopies(width - keys.size(), keys.getLast()));
    String marks = String.join(", ", Collections.nCopies(width, "?"));
    String print = version < StoreLayout.WITH_FINGERPRINTS ? "NULL" : "fingerprint";
    String sql =
        "SELECT id, key, %s FROM handoff_history WHERE key IN (%s)".formatted(print, marks);
    if (version >= StoreLayout.WITH_KEPT_KEYS) {
      read(KEPT.formatted(marks), values, false, found);
    }
    read(sql, values, true, found);
  }

  private void read(String sql, List<Object> keys, boolean kept, Map<String, KeyHolder> found)
      throws SQLException {
    try (ResultSet row = query(sql, keys.toArray())) {
      while (row.next()) {
        String key = row.getString(2);
        found.put(key, new KeyHolder(row.getString(1), key, row.getString(3), kept));
      }
    }
  }

  @Override
  public Map<String, Long> historyCounts() throws SQLException {
    var counts = new HashMap<String, Long>();
    try (ResultSet row = query(COUNTS)) {
      while (row.next()) {
        counts.put(row.getString(1), row.getLong(2));
      }
    }
    return counts;
  }

  @Override
  public Map<String, StoredBlob> blobs(List<String> sha256s) throws SQLException {
    var found = new HashMap<String, StoredBlob>();
    if (version < StoreLayout.WITH_BLOBS) {
      return found;
    }
    var sorted = sha256s.stream().sorted().toList();
    for (int from = 0; from < sorted.size(); from += InList.MOST) {
      blobs.read(sorted.subList(from, Math.min(sorted.size(), from + InList.MOST)), found);
    }
    return found;
  }
}
