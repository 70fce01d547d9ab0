package dev.handoff.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/// Limits that the server keeps for a session of ours, so that it never works or waits for somebody
/// who has given up. A statement ends on the server before the client's `socketTimeout` does: with
/// the client's alone, a write that waited for a lock left its backend waiting, and came again on
/// another one. A transaction whose host is lost ends too: its locks would hold up whoever takes
/// the partition over.
///
/// @param statement the longest that a statement may run; zero for no limit
/// @param lock the longest that it may wait for a lock
/// @param idle the longest pause between two statements of a transaction
record PostgresLimits(Duration statement, Duration lock, Duration idle) {

  /// The margins by which one limit is below the other: a tenth, within these bounds.
  private static final Duration LEAST_MARGIN = Duration.ofMillis(100);

  private static final Duration MOST_MARGIN = Duration.ofSeconds(1);

  /// For a client that waits for so long; zero, and it waits for ever.
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

  /// The same for statements that may go on after their client has left, for so long.
  PostgresLimits withStatement(Duration longest) {
    return new PostgresLimits(longest, lock, idle);
  }

  /// One statement that sets all of them. Those that a server does not know are left out.
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
    // In seconds: a peer that vanished without a word is missed after 25 s.
    settings.put("tcp_keepalives_idle", 10L);
    settings.put("tcp_keepalives_interval", 5L);
    settings.put("tcp_keepalives_count", 3L);
    // The same while an answer is on its way, where keepalives are not sent.
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
