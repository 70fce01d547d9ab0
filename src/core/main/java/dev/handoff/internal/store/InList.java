package dev.handoff.internal.store;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;

/// SQL `IN` lists with one parameter per value. Few different widths, so that each statement is
/// prepared once.
public final class InList {

  private static final List<Integer> WIDTHS = List.of(1, 16, 256);

  static final int MOST = WIDTHS.getLast();

  public interface Row {
    void read(ResultSet row) throws SQLException;
  }

  private InList() {}

  /// Runs the query for all values, as many per statement as fit.
  ///
  /// @param sql SQL text with `%s` in place of the parameters
  public static void ask(SqlSession session, String sql, List<byte[]> values, Row reader)
      throws SQLException {
    for (int from = 0; from < values.size(); from += MOST) {
      var some = values.subList(from, Math.min(values.size(), from + MOST));
      try (ResultSet row = bound(session, sql, some).executeQuery()) {
        while (row.next()) {
          reader.read(row);
        }
      }
    }
  }

  static PreparedStatement bound(SqlSession session, String sql, List<byte[]> values)
      throws SQLException {
    int width = WIDTHS.stream().filter(size -> size >= values.size()).findFirst().orElseThrow();
    var marks = String.join(", ", Collections.nCopies(width, "?"));
    var statement = session.prepare(sql.formatted(marks));
    for (int at = 0; at < width; at++) {
      statement.setBytes(at + 1, values.get(Math.min(at, values.size() - 1)));
    }
    return statement;
  }
}
