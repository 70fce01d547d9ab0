package dev.handoff.internal.store.sqlite;

import dev.handoff.internal.store.ContentHashes;
import dev.handoff.internal.store.SqlSession;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Stored contents that are not in the index yet, as one session knows them. Each write of contents
/// inserts one row with their hashes; the row is deleted when all its contents are in the index.
///
/// Row numbers only rise and are never reused, so cached rows stay valid until they are deleted.
final class NewBlobs {

  /// Most contents per row. A content's place is computed from its row number.
  static final int MOST_IN_ROW = 4_096;

  /// Lowest and highest number, each by an index lookup; both in one query would scan the table.
  static final String EDGES =
      """
      SELECT coalesce((SELECT min(number) FROM handoff_blob_new), 0),
             coalesce((SELECT max(number) FROM handoff_blob_new), 0)
      """;

  private static final String LATER =
      "SELECT number, hashes FROM handoff_blob_new WHERE number > ? ORDER BY number";

  /// Cached row.
  private record Row(long number, List<String> hashes) {}

  private final SqlSession session;
  private final Deque<Row> rows = new ArrayDeque<>();
  private final Map<String, Long> places = new HashMap<>();

  NewBlobs(SqlSession session) {
    this.session = session;
  }

  static long place(long number, int at) {
    return number * MOST_IN_ROW + at;
  }

  /// Reads the rows that any session wrote since the last refresh.
  void refresh() throws SQLException {
    long first;
    long last;
    try (ResultSet row = session.query(EDGES)) {
      row.next();
      first = row.getLong(1);
      last = row.getLong(2);
    }
    while (!rows.isEmpty() && (rows.getFirst().number() < first || last == 0)) {
      drop(rows.removeFirst());
    }
    if (last() < last) {
      readLater();
    }
  }

  private void drop(Row row) {
    for (int at = 0; at < row.hashes().size(); at++) {
      places.remove(row.hashes().get(at), place(row.number(), at));
    }
  }

  private void readLater() throws SQLException {
    try (ResultSet row = session.query(LATER, last())) {
      while (row.next()) {
        var read = new Row(row.getLong(1), ContentHashes.first(MOST_IN_ROW, row.getBytes(2)));
        rows.add(read);
        for (int at = 0; at < read.hashes().size(); at++) {
          places.put(read.hashes().get(at), place(read.number(), at));
        }
      }
    }
  }

  /// Clears the cache.
  void forget() {
    rows.clear();
    places.clear();
  }

  /// Number of the last row.
  long last() {
    return rows.isEmpty() ? 0 : rows.getLast().number();
  }

  int size() {
    return places.size();
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  /// Place of a new content; null for any other content.
  @Nullable Long place(String sha256) {
    return places.get(sha256);
  }

  List<String> sorted() {
    return places.keySet().stream().sorted().toList();
  }
}
