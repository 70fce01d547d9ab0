package dev.handoff.internal.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.store.PostgresServer;
import dev.handoff.internal.store.SqlReads;
import dev.handoff.internal.store.StoreHome;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Retention of single types on PostgreSQL")
class PostgresRetentionTest {

  private static final String ROWS =
      """
      INSERT INTO handoff_history
      SELECT to_char(n, '00000000000000000000000000'), 'job', 'succeeded', 'mail', 'default', NULL,
             NULL, '', 1, n, n, '\\x00', NULL
        FROM generate_series(1, 20000) AS n
      """;

  /// With and without table statistics. A generic query plan, made without parameter values, is the
  /// worst case.
  @Test
  void walksAlongTheIndexOfEnds() throws SQLException {
    var url = PostgresServer.shared().newSchema();
    try (var home = new StoreHome(StoreHome.postgres(url))) {
      home.open().close();
    }
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement()) {
      statement.execute(ROWS);
      statement.execute("SET plan_cache_mode = force_generic_plan");
      var question = SqlReads.OLD;
      for (int at = 1; at <= 4; at++) {
        question = question.replaceFirst("\\?", "\\$" + at);
      }
      statement.execute("PREPARE old (bigint, bigint, bigint, text) AS " + question);

      var before = plan(statement);
      statement.execute("ANALYZE handoff_history");

      assertThat(before).contains("handoff_history_finished").doesNotContain("Seq Scan");
      assertThat(plan(statement)).contains("handoff_history_finished").doesNotContain("Seq Scan");
    }
  }

  private static String plan(Statement statement) throws SQLException {
    List<String> lines = new ArrayList<>();
    try (var rows = statement.executeQuery("EXPLAIN EXECUTE old (0, 30000, 0, '')")) {
      while (rows.next()) {
        lines.add(rows.getString(1));
      }
    }
    return String.join("\n", lines);
  }
}
