package dev.handoff.bench;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/// Embedded PostgreSQL server with production durability, shared by all contenders.
final class PostgresHost implements AutoCloseable {

  /// Durability settings; the embedding library turns them off for tests.
  private static final Map<String, String> DURABLE =
      Map.of("fsync", "on", "synchronous_commit", "on", "full_page_writes", "on");

  /// Memory and log sizes that keep server maintenance out of the measurements.
  private static final Map<String, String> ROOM =
      Map.of("shared_buffers", "512MB", "max_wal_size", "4GB", "max_connections", "200");

  private static final String SHOWN =
      """
      SELECT name, setting || coalesce(' ' || unit, '') FROM pg_settings
       WHERE name IN ('server_version', 'fsync', 'synchronous_commit', 'full_page_writes', 'wal_sync_method',
                      'shared_buffers', 'max_wal_size', 'max_connections')
       ORDER BY name
      """;

  private final EmbeddedPostgres postgres;
  private final ProcessHandle postmaster;
  private int databases;

  private PostgresHost(EmbeddedPostgres postgres) {
    this.postgres = postgres;
    this.postmaster =
        query(
            "SELECT pg_backend_pid()",
            session -> {
              session.next();
              return ProcessHandle.of(session.getLong(1))
                  .flatMap(ProcessHandle::parent)
                  .orElseThrow();
            });
  }

  static PostgresHost start() throws IOException {
    var builder = EmbeddedPostgres.builder().setPGStartupWait(Duration.ofMinutes(1));
    DURABLE.forEach(builder::setServerConfig);
    ROOM.forEach(builder::setServerConfig);
    var server = new PostgresHost(builder.start());
    if (!DURABLE.equals(server.settings(DURABLE))) {
      server.close();
      throw new IllegalStateException("the server is not durable: " + server.settings(DURABLE));
    }
    return server;
  }

  /// Effective settings as reported by the server.
  Map<String, String> settings() {
    return query(
        SHOWN,
        rows -> {
          var settings = new LinkedHashMap<String, String>();
          while (rows.next()) {
            settings.put(rows.getString(1), rows.getString(2));
          }
          return settings;
        });
  }

  private Map<String, String> settings(Map<String, String> among) {
    var all = settings();
    all.keySet().retainAll(among.keySet());
    return all;
  }

  /// Creates an empty database and runs a server checkpoint.
  ///
  /// @return JDBC URL, including the user
  String freshDatabase() {
    var name = "bench" + ++databases;
    execute("CREATE DATABASE " + name);
    execute("CHECKPOINT");
    return url(name);
  }

  void drop(String url) {
    execute(
        "DROP DATABASE "
            + url.substring(url.lastIndexOf('/') + 1, url.indexOf('?'))
            + " WITH (FORCE)");
  }

  /// Number of committed transactions in a database. Open sessions report theirs late: call after
  /// they are closed.
  static long commits(String url) {
    return number(
        url, "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()");
  }

  static long number(String url, String sql) {
    return query(
        url,
        sql,
        row -> {
          row.next();
          return row.getLong(1);
        });
  }

  static void execute(String url, String sql) {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /// CPU time of all live server processes: call while the sessions are open.
  Duration cpu() {
    return Stream.concat(Stream.of(postmaster), postmaster.descendants())
        .flatMap(process -> process.info().totalCpuDuration().stream())
        .reduce(Duration.ZERO, Duration::plus);
  }

  @Override
  public void close() throws IOException {
    postgres.close();
  }

  private void execute(String sql) {
    execute(url("postgres"), sql);
  }

  private String url(String database) {
    return "jdbc:postgresql://localhost:%d/%s?user=postgres"
        .formatted(postgres.getPort(), database);
  }

  private interface Reading<T> {
    T of(ResultSet rows) throws SQLException;
  }

  private <T> T query(String sql, Reading<T> reading) {
    return query(url("postgres"), sql, reading);
  }

  private static <T> T query(String url, String sql, Reading<T> reading) {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return reading.of(rows);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }
}
