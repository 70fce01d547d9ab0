package dev.handoff.internal.store.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.handoff.StoreException;
import dev.handoff.StoreSettings;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;

/// Opener of PostgreSQL connections. Each writer owns one connection and replaces it itself;
/// readers share a pool, which replaces stale connections.
final class PostgresConnections {

  /// Socket time-out of writes, which also bounds the wait for a hanging server. After it the
  /// outcome of a write is unknown and is looked up.
  private static final Duration WRITE_TIMEOUT = Duration.ofSeconds(10);

  private static final Duration READ_TIMEOUT = Duration.ofSeconds(30);

  /// Longest pause within a transaction, equal to the client's time-out for one statement.
  private static final Duration IDLE_TIMEOUT = WRITE_TIMEOUT;

  /// Statement time-out of a vacuum, which takes long: the server continues after the client's
  /// time-out.
  private static final Duration VACUUM_TIMEOUT = Duration.ofMinutes(10);

  private final StoreSettings.Postgres settings;
  private final String owner;
  private final UnaryOperator<Connection> wrap;

  PostgresConnections(
      StoreSettings.Postgres settings, String owner, UnaryOperator<Connection> wrap) {
    this.settings = settings;
    this.owner = owner;
    this.wrap = wrap;
  }

  /// Host, port and database, without secrets.
  String place() {
    Properties parts = parts();
    return "%s:%s/%s"
        .formatted(
            parts.getProperty("PGHOST"),
            parts.getProperty("PGPORT"),
            parts.getProperty("PGDBNAME"));
  }

  private Properties parts() {
    @Nullable Properties parts = Driver.parseURL(settings.url(), new Properties());
    if (parts == null) {
      throw new StoreException.Unfit(
          "the URL of the store is not of the form jdbc:postgresql://host:port/database");
    }
    return parts;
  }

  /// Private connection.
  Connection open() throws SQLException {
    return open(WRITE_TIMEOUT);
  }

  /// Connection for batches. Its statements are planned once: by default the server plans each
  /// execution anew, because array lengths differ, and planning takes longer than the execution.
  Connection writer() throws SQLException {
    Connection connection = open();
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET plan_cache_mode = force_generic_plan");
      return connection;
    } catch (SQLException failure) {
      connection.close();
      throw failure;
    }
  }

  /// Connection for vacuuming.
  Connection vacuum() throws SQLException {
    return open(READ_TIMEOUT, limits(READ_TIMEOUT).withStatement(VACUUM_TIMEOUT));
  }

  private Connection open(Duration timeout) throws SQLException {
    return open(timeout, limits(timeout));
  }

  private Connection open(Duration timeout, PostgresLimits limits) throws SQLException {
    var connection = DriverManager.getConnection(settings.url(), properties(timeout));
    limits.set(connection);
    return wrap.apply(connection);
  }

  /// Server-side limits below the client's socket time-out, which the URL may set.
  private PostgresLimits limits(Duration usual) {
    String named = parts().getProperty("socketTimeout");
    try {
      var timeout = named == null ? usual : Duration.ofSeconds(Integer.parseInt(named));
      return PostgresLimits.of(timeout, timeout.isZero() ? IDLE_TIMEOUT : timeout);
    } catch (NumberFormatException noNumber) {
      throw new StoreException.Unfit(
          "socketTimeout in the URL of the store must be a number of seconds, was " + named);
    }
  }

  /// Connection pool of the readers.
  HikariDataSource pool(int size) {
    var config = new HikariConfig();
    config.setPoolName("handoff-reads");
    config.setJdbcUrl(settings.url());
    config.setDataSourceProperties(properties(READ_TIMEOUT));
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(1);
    config.setConnectionTimeout(Math.max(250, settings.connectTimeout().toMillis()));
    config.setInitializationFailTimeout(-1);
    // By default the pool reads the isolation level from its first connection, once. If that
    // connection is lost at this moment, the pool requests level -1 for ever and never has a
    // connection again.
    config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    config.setConnectionInitSql(limits(READ_TIMEOUT).sql());
    return new HikariDataSource(config);
  }

  Connection from(HikariDataSource pool) throws SQLException {
    return wrap.apply(pool.getConnection());
  }

  /// Default properties; the URL overrides them.
  private Properties properties(Duration timeout) {
    var properties = new Properties();
    if (settings.user() != null) {
      properties.setProperty("user", settings.user());
    }
    if (settings.password() != null) {
      properties.setProperty("password", settings.password());
    }
    String connect = seconds(settings.connectTimeout());
    properties.setProperty("connectTimeout", connect);
    properties.setProperty("loginTimeout", connect);
    properties.setProperty("socketTimeout", seconds(timeout));
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty("prepareThreshold", "1");
    properties.setProperty("ApplicationName", applicationName());
    return properties;
  }

  /// Name that the server shows for this engine, to find the holder of the store.
  private String applicationName() {
    String name = "handoff " + owner;
    return name.length() > 63 ? name.substring(0, 63) : name;
  }

  private static String seconds(Duration duration) {
    return String.valueOf(Math.max(1, (duration.toMillis() + 999) / 1000));
  }
}
