package dev.handoff.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The contents that are stored and not in the index yet, as one session knows them. Each write of
/// contents leaves one row with their hashes; a row goes when all of it is in the index.
///
/// The numbers of rows rise and never come again, so what was read of them before stays true until
/// the row is gone.
final class NewBlobs {

  /// How many contents a row may name. With the number of the row their places follow from it.
  static final int MOST_IN_ROW = 4_096;

  /// Each of them a step into the tree; both in one question would read all rows.
  static final String EDGES =
      """
      SELECT coalesce((SELECT min(number) FROM handoff_blob_new), 0),
             coalesce((SELECT max(number) FROM handoff_blob_new), 0)
      """;

  private static final String LATER =
      "SELECT number, hashes FROM handoff_blob_new WHERE number > ? ORDER BY number";

  /// A row, as it was read.
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

  /// Takes notice of what was written since the last time, by anybody.
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
        var read = new Row(row.getLong(1), Hashes.first(MOST_IN_ROW, row.getBytes(2)));
        rows.add(read);
        for (int at = 0; at < read.hashes().size(); at++) {
          places.put(read.hashes().get(at), place(read.number(), at));
        }
      }
    }
  }

  /// Forgets everything that was read.
  void forget() {
    rows.clear();
    places.clear();
  }

  /// The number of the last row.
  long last() {
    return rows.isEmpty() ? 0 : rows.getLast().number();
  }

  int size() {
    return places.size();
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  /// Where a content is; null if it is none of these.
  @Nullable Long place(String sha256) {
    return places.get(sha256);
  }

  List<String> sorted() {
    return places.keySet().stream().sorted().toList();
  }
}
