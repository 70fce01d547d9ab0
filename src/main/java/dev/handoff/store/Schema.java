package dev.handoff.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// Makes the tables of a new store, and checks those of an old one.
final class Schema {

  private static final String META = "INSERT INTO handoff_meta (name, value) VALUES (?, ?)";
  private static final String VERSION = "UPDATE handoff_meta SET value = ? WHERE name = 'version'";
  private static final String PARTITION =
      """
      INSERT INTO handoff_partition
        (id, incarnation, owner, seq, digest, checkpoint, checkpoint_incarnation)
      VALUES (?, 0, 'nobody', 0, 0, 0, 0)
      """;

  private Schema() {}

  /// Within a transaction: a store is made whole or not at all.
  static void make(SqlSession session, List<String> tables, int partitions) throws SQLException {
    runAll(session, tables);
    session.update(META, "version", String.valueOf(Layout.VERSION));
    session.update(META, "partitions", String.valueOf(partitions));
    session.update(META, "created", Instant.now().toString());
    for (int id : IntStream.range(0, partitions).toArray()) {
      session.update(PARTITION, id);
    }
  }

  /// What came with later versions.
  ///
  /// @param blobs the tables of contents
  /// @param fingerprints of what has a key in history
  /// @param keptKeys the table of keys without a row
  record Additions(List<String> blobs, List<String> fingerprints, List<String> keptKeys) {}

  /// Within a transaction: makes the tables of an older version into those of this one.
  static void upgrade(SqlSession session, Layout found, Additions additions) throws SQLException {
    if (found.version() < Layout.WITH_BLOBS) {
      // It was there from the start, and never used.
      session.run("DROP TABLE handoff_blob");
      runAll(session, additions.blobs());
    }
    if (found.version() < Layout.WITH_FINGERPRINTS) {
      runAll(session, additions.fingerprints());
    }
    if (found.version() < Layout.WITH_KEPT_KEYS) {
      runAll(session, additions.keptKeys());
    }
    session.update(VERSION, String.valueOf(Layout.VERSION));
  }

  /// Within a transaction: remembers that jobs of this store may be gone without a row.
  static Layout noteDrops(SqlSession session, Layout layout) throws SQLException {
    if (layout.mayHaveDropped()) {
      return layout;
    }
    session.update(META, Layout.DROPS, Instant.now().toString());
    return new Layout(layout.version(), layout.partitions(), true);
  }

  private static void runAll(SqlSession session, List<String> statements) throws SQLException {
    for (String statement : statements) {
      session.run(statement);
    }
  }

  static Layout check(SqlSession session, int asked, String place) throws SQLException {
    Map<String, String> meta = new HashMap<>();
    try (ResultSet row = session.query("SELECT name, value FROM handoff_meta")) {
      while (row.next()) {
        meta.put(row.getString(1), row.getString(2));
      }
    }
    Layout layout = Layout.check(meta, asked, place);
    try (ResultSet row = session.query("SELECT count(*) FROM handoff_partition")) {
      row.next();
      Layout.checkRows(row.getLong(1), layout.partitions(), place);
    }
    return layout;
  }
}
