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
    for (String statement : tables) {
      session.run(statement);
    }
    session.update(META, "version", String.valueOf(Layout.VERSION));
    session.update(META, "partitions", String.valueOf(partitions));
    session.update(META, "created", Instant.now().toString());
    for (int id : IntStream.range(0, partitions).toArray()) {
      session.update(PARTITION, id);
    }
  }

  /// Within a transaction: makes the tables of an older version into those of this one.
  ///
  /// @param blobs the tables of contents
  static void upgrade(SqlSession session, Layout found, List<String> blobs) throws SQLException {
    if (found.version() < Layout.WITH_BLOBS) {
      // It was there from the start, and never used.
      session.run("DROP TABLE handoff_blob");
      for (String statement : blobs) {
        session.run(statement);
      }
    }
    session.update(VERSION, String.valueOf(Layout.VERSION));
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
