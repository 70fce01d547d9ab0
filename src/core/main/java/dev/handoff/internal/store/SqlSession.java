package dev.handoff.internal.store;

import dev.handoff.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/// Connection with its prepared statements. Belongs to one thread.
public class SqlSession implements AutoCloseable {

  private static final String PARTITION =
      """
      SELECT incarnation, owner, seq, digest, checkpoint, checkpoint_incarnation,
             coalesce((SELECT max(seq) FROM handoff_ledger WHERE partition = ?), 0)
        FROM handoff_partition WHERE id = ?
      """;

  public final Connection connection;
  public final SqlDialect dialect;
  private final Map<String, PreparedStatement> prepared = new HashMap<>();

  public SqlSession(Connection connection, SqlDialect dialect) {
    this.connection = connection;
    this.dialect = dialect;
  }

  /// Statement of this SQL text, prepared once, with these parameters bound.
  public PreparedStatement prepare(String sql, Object... values) throws SQLException {
    PreparedStatement statement = prepared.get(sql);
    if (statement == null) {
      statement = connection.prepareStatement(sql);
      prepared.put(sql, statement);
    }
    for (int at = 0; at < values.length; at++) {
      switch (values[at]) {
        case Long number -> statement.setLong(at + 1, number);
        case Integer number -> statement.setInt(at + 1, number);
        case String text -> statement.setString(at + 1, text);
        case byte[] bytes -> statement.setBytes(at + 1, bytes);
        default -> throw new IllegalArgumentException("no column holds " + values[at].getClass());
      }
    }
    return statement;
  }

  public int update(String sql, Object... values) throws SQLException {
    return prepare(sql, values).executeUpdate();
  }

  public ResultSet query(String sql, Object... values) throws SQLException {
    return prepare(sql, values).executeQuery();
  }

  public void run(String sql) throws SQLException {
    prepare(sql).execute();
  }

  protected PartitionRow partition(int id) throws SQLException {
    try (ResultSet row = query(PARTITION, id, id)) {
      if (!row.next()) {
        throw new StoreException.Unreadable("partition " + id + " has no row", null);
      }
      return new PartitionRow(
          row.getLong(1),
          row.getString(2),
          row.getLong(3),
          row.getLong(4),
          row.getLong(5),
          row.getLong(6),
          row.getLong(7));
    }
  }

  /// Resets cached knowledge after a rollback of the transaction or to a savepoint.
  void undone() {}

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
