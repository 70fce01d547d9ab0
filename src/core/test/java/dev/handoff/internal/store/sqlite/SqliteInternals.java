package dev.handoff.internal.store.sqlite;

import dev.handoff.internal.store.SqlDialect;
import dev.handoff.internal.store.SqlSession;
import dev.handoff.internal.store.StoreWrites;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/// Access of tests of all stores to the parts of SQLite's.
public final class SqliteInternals {

  private SqliteInternals() {}

  public static SqlDialect dialect() {
    return new SqliteDialect();
  }

  /// Session in addition to those of the store.
  public static StoreWrites writes(Connection connection) {
    return new SqliteWrites(connection, new SqliteDialect());
  }

  /// Moves waiting hashes into the index, as a first deletion does.
  ///
  /// @return whether contents can be deleted now
  public static boolean moveIntoTheIndex(String jdbcUrl) throws SQLException {
    try (var session = new SqlSession(DriverManager.getConnection(jdbcUrl), new SqliteDialect())) {
      return new SqliteBlobTable(session).mayDelete();
    }
  }

  /// Place of a content whose hash is not yet in the index.
  public static long place(long group, int at) {
    return NewBlobs.place(group, at);
  }
}
