package dev.handoff.internal.store.postgres;

import dev.handoff.internal.store.SqlDialect;
import dev.handoff.internal.store.SqlSession;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;

/// Connection that holds a store's advisory lock, or tries to. The server itself names the holder:
/// the owner row may belong to a dead process.
final class PostgresLock extends SqlSession {

  /// First half of the lock key, "HAND" in ASCII. The second half is the schema, so each schema can
  /// have a store.
  private static final int KEY = 0x48414E44;

  private static final String HOLDER =
      """
      SELECT l.pid, coalesce(a.application_name, '') FROM pg_locks l
        LEFT JOIN pg_stat_activity a ON a.pid = l.pid
       WHERE l.locktype = 'advisory' AND l.classid::bigint = ? AND l.objid::bigint = ?
         AND l.objsubid = 2 AND l.granted AND l.pid <> pg_backend_pid()
         AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
       ORDER BY l.pid LIMIT 1
      """;
  private static final String OWNER = "SELECT value FROM handoff_meta WHERE name = 'owner'";
  private static final String SIGN =
      """
      INSERT INTO handoff_meta (name, value) VALUES ('owner', ?)
          ON CONFLICT (name) DO UPDATE SET value = excluded.value
      """;

  /// Holder of the lock.
  ///
  /// @param backend server process of the holder's connection
  record Holder(int backend, String name) {}

  private final boolean shared;
  private final int schema;
  private final int backend;

  /// @param shared whether other sharing engines may hold the lock too
  PostgresLock(Connection connection, SqlDialect dialect, boolean shared) throws SQLException {
    super(connection, dialect);
    this.shared = shared;
    try {
      try (ResultSet row = query("SELECT pg_backend_pid(), current_schema()")) {
        row.next();
        backend = row.getInt(1);
        schema = String.valueOf(row.getString(2)).hashCode();
      }
    } catch (SQLException refused) {
      connection.close();
      throw refused;
    }
  }

  /// Server process of this connection.
  int backend() {
    return backend;
  }

  boolean take() throws SQLException {
    String function = shared ? "pg_try_advisory_lock_shared" : "pg_try_advisory_lock";
    try (ResultSet row = query("SELECT " + function + "(?, ?)", KEY, schema)) {
      row.next();
      return row.getBoolean(1);
    }
  }

  /// Takes an exclusive lock until the transaction ends; it excludes sharing engines too.
  void takeForTransaction() throws SQLException {
    query("SELECT pg_advisory_xact_lock(?, ?)", KEY + 1, schema).close();
  }

  void look() throws SQLException {
    run("SELECT 1");
  }

  Holder holder() throws SQLException {
    try (ResultSet row = query(HOLDER, (long) KEY, Integer.toUnsignedLong(schema))) {
      if (!row.next()) {
        return new Holder(0, "a process that has just gone: try again");
      }
      return new Holder(row.getInt(1), name(row.getString(2)));
    }
  }

  /// Name of the holder. The server has only its first letters; the owner row has all, but may
  /// belong to a dead process.
  private String name(String application) throws SQLException {
    try (ResultSet there = query("SELECT to_regclass('handoff_meta') IS NOT NULL")) {
      there.next();
      if (!there.getBoolean(1)) {
        return application;
      }
    }
    try (ResultSet row = query(OWNER)) {
      boolean his = row.next() && ("handoff " + row.getString(1)).startsWith(application);
      return his ? row.getString(1) : application;
    }
  }

  void sign(String owner) throws SQLException {
    update(SIGN, owner);
  }

  /// Terminates a former connection of this engine that the server still considers alive.
  void end(int formerBackend) throws SQLException {
    query("SELECT pg_terminate_backend(?)", formerBackend).close();
  }

  /// Releases the lock explicitly: the server notices a closed connection late, and the next opener
  /// should not wait for that.
  @Override
  public void close() throws SQLException {
    try {
      run("SELECT pg_advisory_unlock_all()");
    } catch (SQLException gone) {
      // The end of the connection releases the lock too, a little later.
    } finally {
      super.close();
    }
  }
}
