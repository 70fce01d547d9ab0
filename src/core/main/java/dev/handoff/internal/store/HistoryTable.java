package dev.handoff.internal.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Mapping of history rows to table columns.
public final class HistoryTable {

  /// Columns to read.
  public static final String COLUMNS =
      "id, kind, status, type, queue, key, plan, labels, attempt, created_at, finished_at, state";

  /// Columns to write.
  public static final String WRITTEN = COLUMNS + ", fingerprint";

  private HistoryTable() {}

  static HistoryRow read(ResultSet row) throws SQLException {
    return new HistoryRow(
        row.getString(1),
        row.getString(2),
        row.getString(3),
        row.getString(4),
        row.getString(5),
        row.getString(6),
        row.getString(7),
        row.getString(8),
        row.getInt(9),
        Instant.ofEpochMilli(row.getLong(10)),
        Instant.ofEpochMilli(row.getLong(11)),
        row.getBytes(12));
  }

  /// Milliseconds of an instant, clamped to the range of `long`.
  static long millis(Instant instant) {
    try {
      return instant.toEpochMilli();
    } catch (ArithmeticException beyond) {
      return instant.isAfter(Instant.EPOCH) ? Long.MAX_VALUE : Long.MIN_VALUE;
    }
  }

  /// Conditions of a query with their parameters.
  record Where(String sql, List<Object> values) {

    static Where of(HistoryQuery query, SqlDialect dialect) {
      var conditions = new ArrayList<String>();
      var values = new ArrayList<Object>();
      equal("kind", query.kind(), conditions, values);
      equal("status", query.status(), conditions, values);
      equal("type", query.type(), conditions, values);
      equal("queue", query.queue(), conditions, values);
      equal("plan", query.plan(), conditions, values);
      if (query.label() != null) {
        conditions.add(dialect.hasLabel());
        values.add("|" + query.label() + "|");
      }
      if (query.before() != null) {
        conditions.add("id < ?");
        values.add(query.before());
      }
      String sql = conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions);
      return new Where(sql, values);
    }

    private static void equal(
        String column, String wanted, List<String> conditions, List<Object> values) {
      if (wanted != null) {
        conditions.add(column + " = ?");
        values.add(wanted);
      }
    }

    /// Returns whether a parameter can never be stored. Such a query has no result and is not sent
    /// to the database.
    boolean matchesNothing() {
      return values.stream().anyMatch(value -> !StorableText.storable((String) value));
    }
  }
}
