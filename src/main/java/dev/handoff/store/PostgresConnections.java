package dev.handoff.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;

/// Opens connections to a server. Writers own theirs, one each, and know best when it must be
/// replaced; readers share a pool, which sees to it that none is stale.
final class PostgresConnections {

  /// A write that takes longer than this may have been made or not: it is looked up. Also what
  /// bounds how long a hanging server is waited for.
  private static final Duration WRITE_TIMEOUT = Duration.ofSeconds(10);

  private static final Duration READ_TIMEOUT = Duration.ofSeconds(30);

  /// The longest pause within a transaction: as long as the client may wait for a statement of it.
  private static final Duration IDLE_TIMEOUT = WRITE_TIMEOUT;

  /// A vacuum takes long: the server goes on with it after the client has given up, for this time.
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

  /// Host, port and database, without what is secret.
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

  /// A connection of one's own.
  Connection open() throws SQLException {
    return open(WRITE_TIMEOUT);
  }

  /// One that writes batches. Their statements are planned once: left to itself, the server plans
  /// each of them anew, because its arrays differ in length, and that takes longer than running it.
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

  /// One that vacuums.
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

  /// The server gives up before the client does, whose limit the URL may name.
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

  /// Connections for readers.
  HikariDataSource pool(int size) {
    var config = new HikariConfig();
    config.setPoolName("handoff-reads");
    config.setJdbcUrl(settings.url());
    config.setDataSourceProperties(properties(READ_TIMEOUT));
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(1);
    config.setConnectionTimeout(Math.max(250, settings.connectTimeout().toMillis()));
    config.setInitializationFailTimeout(-1);
    // The pool asks its first connection for the server's own, once. If that one is lost then, it
    // asks every later one for level -1, and never has a connection again.
    config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    config.setConnectionInitSql(limits(READ_TIMEOUT).sql());
    return new HikariDataSource(config);
  }

  Connection from(HikariDataSource pool) throws SQLException {
    return wrap.apply(pool.getConnection());
  }

  /// Defaults: what the URL says of the same goes before them.
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

  /// What the server shows of us, to whoever looks for the holder of the store.
  private String applicationName() {
    String name = "handoff " + owner;
    return name.length() > 63 ? name.substring(0, 63) : name;
  }

  private static String seconds(Duration duration) {
    return String.valueOf(Math.max(1, (duration.toMillis() + 999) / 1000));
  }
}
