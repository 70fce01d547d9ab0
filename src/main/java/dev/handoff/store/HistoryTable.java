package dev.handoff.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// How history rows stand in their table.
final class HistoryTable {

  /// What is read of a row.
  static final String COLUMNS =
      "id, kind, status, type, queue, key, plan, labels, attempt, created_at, finished_at, state";

  /// What is written of one.
  static final String WRITTEN = COLUMNS + ", fingerprint";

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

  /// Instants further away than milliseconds can count are as far away as they can.
  static long millis(Instant instant) {
    try {
      return instant.toEpochMilli();
    } catch (ArithmeticException beyond) {
      return instant.isAfter(Instant.EPOCH) ? Long.MAX_VALUE : Long.MIN_VALUE;
    }
  }

  /// The conditions of a query, and what is bound to them.
  record Where(String sql, List<Object> values) {

    static Where of(HistoryQuery query, Dialect dialect) {
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

    /// Text that no database stores matches nothing, and is not sent to one.
    boolean matchesNothing() {
      return values.stream().anyMatch(value -> !Text.storable((String) value));
    }
  }
}
