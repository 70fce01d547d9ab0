package dev.handoff.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.postgresql.PGConnection;

/// Writing to PostgreSQL: a batch is one statement, and so one round trip and one transaction. Its
/// parts depend on the row that the fence lets through, so that they do nothing when it lets none
/// through.
///
/// Rows go in as one array a column. Measured on 2 cores shared with the server, with 4 partitions,
/// 100 kB of facts and 350 rows of 400 bytes a batch: a row costs the server 7 to 8 µs, of which 4
/// go into its three indexes and 1 into its facts. `unnest` in the select list and `COPY`, which is
/// four round trips, cost the same.
final class PostgresWrites extends SqlWrites {

  private static final String FACTS =
      """
      WITH own AS (UPDATE handoff_partition SET seq = ?, digest = ?
                    WHERE id = ? AND incarnation = ? AND seq = ? RETURNING id, seq),
           facts AS (INSERT INTO handoff_ledger (partition, seq, facts)
                     SELECT own.id, own.seq, ? FROM own)\
      """;

  private static final String SELECT = "\nSELECT count(*) FROM own";

  private static final String ENDED =
      """
      ,
           ended AS (INSERT INTO handoff_history (%s)
                     SELECT new.* FROM own, unnest(?::text[], ?::text[], ?::text[], ?::text[],
                       ?::text[], ?::text[], ?::text[], ?::text[],
                       ?::int[], ?::bigint[], ?::bigint[], ?::bytea[]) AS new\
      """
          .formatted(HistoryTable.COLUMNS);

  private static final String COUNTED =
      """
      ),
           counted AS (INSERT INTO handoff_history_count AS c (partition, status, n)
                       SELECT own.id, change.status, sum(change.n) FROM own,
                         (SELECT status, n FROM unnest(?::text[], ?::bigint[]) AS more (status, n)\
      """;

  private static final String ADDED =
      """
      ) AS change
                        GROUP BY own.id, change.status
                           ON CONFLICT (partition, status) DO UPDATE SET n = c.n + excluded.n)\
      """;

  private static final String GONE =
      """
      ,
           gone AS (DELETE FROM handoff_history USING own
                     WHERE handoff_history.id = ANY (?::text[]) RETURNING status)\
      """;

  /// Rows that are inserted wait for those that are deleted: an id may be in both.
  private static final String AFTER_GONE = "\nWHERE (SELECT count(*) FROM gone) >= 0";

  private static final String GONE_COUNTED = "\nUNION ALL SELECT status, -1 FROM gone";

  private static final String PLAIN = FACTS + SELECT;
  private static final String ENDING = FACTS + ENDED + COUNTED + ADDED + SELECT;
  private static final String REOPENING =
      FACTS + GONE + ENDED + AFTER_GONE + COUNTED + GONE_COUNTED + ADDED + SELECT;

  private final PostgresVacuum vacuum;

  PostgresWrites(Connection connection, Dialect dialect, PostgresVacuum vacuum) {
    super(connection, dialect);
    this.vacuum = vacuum;
  }

  @Override
  public WriteResult write(Batch batch) throws SQLException {
    PreparedStatement statement =
        prepare(
            statement(batch),
            batch.seq(),
            Content.digest(batch),
            batch.partition(),
            batch.incarnation(),
            batch.seq() - 1,
            batch.facts());
    bind(statement, batch);
    try (ResultSet row = statement.executeQuery()) {
      row.next();
      if (row.getInt(1) == 1) {
        return new WriteResult.Written(batch.seq());
      }
    }
    return partition(batch.partition()).answer(batch);
  }

  private static String statement(Batch batch) {
    if (!batch.reopened().isEmpty()) {
      return REOPENING;
    }
    return batch.ended().isEmpty() ? PLAIN : ENDING;
  }

  private void bind(PreparedStatement statement, Batch batch) throws SQLException {
    var arrays = new Arrays(connection, statement, batch.ended(), 7);
    if (!batch.reopened().isEmpty()) {
      arrays.bind("text", batch.reopened().toArray(String[]::new));
    } else if (batch.ended().isEmpty()) {
      return;
    }
    arrays.texts(HistoryRow::id);
    arrays.texts(HistoryRow::kind);
    arrays.texts(HistoryRow::status);
    arrays.texts(HistoryRow::type);
    arrays.texts(HistoryRow::queue);
    arrays.texts(HistoryRow::key);
    arrays.texts(HistoryRow::plan);
    arrays.texts(HistoryRow::labels);
    arrays.bind("int4", batch.ended().stream().mapToInt(HistoryRow::attempt).toArray());
    arrays.bind(
        "int8", batch.ended().stream().mapToLong(row -> row.createdAt().toEpochMilli()).toArray());
    arrays.bind(
        "int8", batch.ended().stream().mapToLong(row -> row.finishedAt().toEpochMilli()).toArray());
    arrays.bind("bytea", batch.ended().stream().map(HistoryRow::state).toArray(byte[][]::new));
    Map<String, Long> counts =
        batch.ended().stream()
            .collect(Collectors.groupingBy(HistoryRow::status, Collectors.counting()));
    arrays.bind("text", counts.keySet().toArray(String[]::new));
    arrays.bind("int8", counts.values().stream().mapToLong(Long::longValue).toArray());
  }

  @Override
  void trimmed(long bytes) {
    vacuum.trimmed(bytes);
  }

  /// Binds one array after the other.
  private static final class Arrays {
    private final Connection connection;
    private final PreparedStatement statement;
    private final List<HistoryRow> rows;
    private int at;

    Arrays(Connection connection, PreparedStatement statement, List<HistoryRow> rows, int first) {
      this.connection = connection;
      this.statement = statement;
      this.rows = rows;
      this.at = first;
    }

    void texts(Function<HistoryRow, String> column) throws SQLException {
      bind("text", rows.stream().map(column).toArray(String[]::new));
    }

    void bind(String type, Object values) throws SQLException {
      statement.setArray(at, connection.unwrap(PGConnection.class).createArrayOf(type, values));
      at++;
    }
  }
}
