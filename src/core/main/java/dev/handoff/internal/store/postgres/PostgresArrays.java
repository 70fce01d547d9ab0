package dev.handoff.internal.store.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.postgresql.PGConnection;

/// Binds rows to a statement, one SQL array per column.
final class PostgresArrays {

  private final Connection connection;
  private final PreparedStatement statement;
  private int at;

  /// @param first number of the first parameter
  PostgresArrays(Connection connection, PreparedStatement statement, int first) {
    this.connection = connection;
    this.statement = statement;
    this.at = first;
  }

  <R> void texts(List<R> rows, Function<R, String> column) throws SQLException {
    bind("text", rows.stream().map(column).toArray(String[]::new));
  }

  <R> void ints(List<R> rows, ToIntFunction<R> column) throws SQLException {
    bind("int4", rows.stream().mapToInt(column).toArray());
  }

  <R> void longs(List<R> rows, ToLongFunction<R> column) throws SQLException {
    bind("int8", rows.stream().mapToLong(column).toArray());
  }

  <R> void bytes(List<R> rows, Function<R, byte[]> column) throws SQLException {
    bind("bytea", rows.stream().map(column).toArray(byte[][]::new));
  }

  void bind(String type, Object values) throws SQLException {
    statement.setArray(at, connection.unwrap(PGConnection.class).createArrayOf(type, values));
    at++;
  }
}
