package dev.handoff.internal.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// Creation and check of a store's tables.
public final class SqlSchema {

  private static final String META = "INSERT INTO handoff_meta (name, value) VALUES (?, ?)";
  private static final String VERSION = "UPDATE handoff_meta SET value = ? WHERE name = 'version'";
  private static final String PARTITION =
      """
      INSERT INTO handoff_partition
        (id, incarnation, owner, seq, digest, checkpoint, checkpoint_incarnation)
      VALUES (?, 0, 'nobody', 0, 0, 0, 0)
      """;

  private SqlSchema() {}

  /// Creates all tables. Runs within a transaction: all or nothing.
  public static void make(SqlSession session, List<String> tables, int partitions)
      throws SQLException {
    runAll(session, tables);
    session.update(META, "version", String.valueOf(StoreLayout.VERSION));
    session.update(META, "partitions", String.valueOf(partitions));
    session.update(META, "created", Instant.now().toString());
    for (int id : IntStream.range(0, partitions).toArray()) {
      session.update(PARTITION, id);
    }
  }

  /// Statements that upgrade from older versions.
  ///
  /// @param blobs tables of contents
  /// @param fingerprints fingerprints of keyed history rows
  /// @param keptKeys table of keys without a history row
  public record Additions(List<String> blobs, List<String> fingerprints, List<String> keptKeys) {}

  /// Upgrades the tables of an older version. Runs within a transaction.
  public static void upgrade(SqlSession session, StoreLayout found, Additions additions)
      throws SQLException {
    if (found.version() < StoreLayout.WITH_BLOBS) {
      // Version 1 created this table and never used it.
      session.run("DROP TABLE handoff_blob");
      runAll(session, additions.blobs());
    }
    if (found.version() < StoreLayout.WITH_FINGERPRINTS) {
      runAll(session, additions.fingerprints());
    }
    if (found.version() < StoreLayout.WITH_KEPT_KEYS) {
      runAll(session, additions.keptKeys());
    }
    session.update(VERSION, String.valueOf(StoreLayout.VERSION));
  }

  /// Records that jobs of this store may have been dropped without a row. Runs within a
  /// transaction.
  public static StoreLayout noteDrops(SqlSession session, StoreLayout layout) throws SQLException {
    if (layout.mayHaveDropped()) {
      return layout;
    }
    session.update(META, StoreLayout.DROPS, Instant.now().toString());
    return new StoreLayout(layout.version(), layout.partitions(), true);
  }

  private static void runAll(SqlSession session, List<String> statements) throws SQLException {
    for (String statement : statements) {
      session.run(statement);
    }
  }

  public static StoreLayout check(SqlSession session, int asked, String place) throws SQLException {
    Map<String, String> meta = new HashMap<>();
    try (ResultSet row = session.query("SELECT name, value FROM handoff_meta")) {
      while (row.next()) {
        meta.put(row.getString(1), row.getString(2));
      }
    }
    StoreLayout layout = StoreLayout.check(meta, asked, place);
    try (ResultSet row = session.query("SELECT count(*) FROM handoff_partition")) {
      row.next();
      StoreLayout.checkRows(row.getLong(1), layout.partitions(), place);
    }
    return layout;
  }
}
