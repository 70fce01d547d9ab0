package dev.handoff.internal.store.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/// Server-side limits of a session, so that the server never works or waits for a client that has
/// given up. A statement ends on the server before the client's `socketTimeout`: otherwise a write
/// that waited for a lock stayed waiting in its backend, and was repeated on another one. A
/// transaction of a lost host ends too, because its locks would block the next owner of the
/// partition.
///
/// @param statement longest run of a statement; zero = no limit
/// @param lock longest wait for a lock
/// @param idle longest pause between two statements of a transaction
record PostgresLimits(Duration statement, Duration lock, Duration idle) {

  /// Margin between two limits: a tenth, within these bounds.
  private static final Duration LEAST_MARGIN = Duration.ofMillis(100);

  private static final Duration MOST_MARGIN = Duration.ofSeconds(1);

  /// Limits for a client with this socket time-out; zero = no time-out.
  static PostgresLimits of(Duration socketTimeout, Duration idle) {
    if (socketTimeout.isZero()) {
      return new PostgresLimits(Duration.ZERO, Duration.ZERO, idle);
    }
    Duration tenth = socketTimeout.dividedBy(10);
    Duration margin = tenth.compareTo(LEAST_MARGIN) < 0 ? LEAST_MARGIN : tenth;
    margin = margin.compareTo(MOST_MARGIN) > 0 ? MOST_MARGIN : margin;
    var statement = socketTimeout.minus(margin);
    return new PostgresLimits(statement, statement.minus(margin), idle);
  }

  /// Same limits, with more time for statements that may outlive their client's wait.
  PostgresLimits withStatement(Duration longest) {
    return new PostgresLimits(longest, lock, idle);
  }

  /// SQL statement that sets all limits. Settings unknown to the server are skipped.
  String sql() {
    return settings().entrySet().stream()
        .map(setting -> "('%s', '%s')".formatted(setting.getKey(), setting.getValue()))
        .collect(
            Collectors.joining(
                ", ",
                "SELECT set_config(name, wanted, false) FROM pg_settings JOIN (VALUES ",
                ") AS ours (name, wanted) USING (name)"));
  }

  private Map<String, Long> settings() {
    var settings = new LinkedHashMap<String, Long>();
    settings.put("statement_timeout", statement.toMillis());
    settings.put("lock_timeout", lock.toMillis());
    settings.put("idle_in_transaction_session_timeout", idle.toMillis());
    // In seconds: the loss of a silent peer is detected after 25 s.
    settings.put("tcp_keepalives_idle", 10L);
    settings.put("tcp_keepalives_interval", 5L);
    settings.put("tcp_keepalives_count", 3L);
    // Same limit while an answer is being sent, when TCP sends no keepalives.
    settings.put("tcp_user_timeout", 25_000L);
    return settings;
  }

  void set(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql());
    } catch (SQLException failure) {
      connection.close();
      throw failure;
    }
  }
}
