package dev.handoff.internal.store.postgres;

import dev.handoff.internal.store.BatchCheck;
import dev.handoff.internal.store.DatabaseFailure;
import dev.handoff.internal.store.HistoryRow;
import dev.handoff.internal.store.HistoryTable;
import dev.handoff.internal.store.KeptKey;
import dev.handoff.internal.store.SqlDialect;
import dev.handoff.internal.store.SqlWrites;
import dev.handoff.internal.store.StoreBatch;
import dev.handoff.internal.store.WriteResult;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Writer to PostgreSQL. A batch is one statement: one round trip and one transaction. Waiting
/// batches of several partitions share one statement. Its parts depend on the rows that pass the
/// fence, so they write nothing for a fenced partition.
///
/// Rows are bound as one array per column. Measured on 2 cores shared with the server, with 4
/// partitions and batches of 100 kB of facts and 350 rows of 400 bytes: a row costs the server 7 to
/// 8 µs, of which 4 are for its three indexes and 1 for its facts. `unnest` in the select list and
/// `COPY`, which takes four round trips, cost the same.
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
                       ?::int[], ?::bigint[], ?::bigint[], ?::bytea[], ?::text[]) AS new\
      """
          .formatted(HistoryTable.WRITTEN);

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

  private static final String KEYS =
      """
      ,
           kept AS (INSERT INTO handoff_kept_key (key, id, fingerprint, ended_at)
                    SELECT new.* FROM own,
                      unnest(?::text[], ?::text[], ?::text[], ?::bigint[]) AS new
                        ON CONFLICT (key) DO UPDATE SET id = excluded.id,
                           fingerprint = excluded.fingerprint, ended_at = excluded.ended_at)\
      """;

  /// Makes inserts wait for deletes: an id may be in both.
  private static final String AFTER_GONE = "\nWHERE (SELECT count(*) FROM gone) >= 0";

  private static final String GONE_COUNTED = "\nUNION ALL SELECT status, -1 FROM gone";

  private static final String MERGED =
      """
      WITH batch AS (SELECT * FROM unnest(?::int[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bytea[])
                       AS b (partition, incarnation, seq, digest, facts)),
           own AS (UPDATE handoff_partition p SET seq = batch.seq, digest = batch.digest FROM batch
                    WHERE p.id = batch.partition AND p.incarnation = batch.incarnation
                      AND p.seq = batch.seq - 1
                RETURNING p.id, p.seq),
           facts AS (INSERT INTO handoff_ledger (partition, seq, facts)
                     SELECT own.id, own.seq, batch.facts
                       FROM own JOIN batch ON batch.partition = own.id)\
      """;

  private static final String MERGED_ENDED =
      """
      ,
           ended AS (INSERT INTO handoff_history (%1$s)
                     SELECT %2$s FROM own JOIN unnest(?::int[], ?::text[], ?::text[], ?::text[],
                       ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
                       ?::int[], ?::bigint[], ?::bigint[], ?::bytea[], ?::text[]) AS new (of, %1$s)
                         ON new.of = own.id),
           counted AS (INSERT INTO handoff_history_count AS c (partition, status, n)
                       SELECT own.id, more.status, more.n
                         FROM own JOIN unnest(?::int[], ?::text[], ?::bigint[]) AS more (of, status, n)
                           ON more.of = own.id
                           ON CONFLICT (partition, status) DO UPDATE SET n = c.n + excluded.n)\
      """
          .formatted(HistoryTable.WRITTEN, "new." + HistoryTable.WRITTEN.replace(", ", ", new."));

  private static final String MERGED_KEYS =
      """
      ,
           kept AS (INSERT INTO handoff_kept_key (key, id, fingerprint, ended_at)
                    SELECT new.key, new.id, new.fingerprint, new.ended_at
                      FROM own JOIN unnest(?::int[], ?::text[], ?::text[], ?::text[], ?::bigint[])
                        AS new (of, key, id, fingerprint, ended_at) ON new.of = own.id
                        ON CONFLICT (key) DO UPDATE SET id = excluded.id,
                           fingerprint = excluded.fingerprint, ended_at = excluded.ended_at)\
      """;

  private static final String WHICH = "\nSELECT id FROM own";

  private static final String ENDING = FACTS + ENDED + COUNTED + ADDED;
  private static final String REOPENING =
      FACTS + GONE + ENDED + AFTER_GONE + COUNTED + GONE_COUNTED + ADDED;

  private final PostgresVacuum vacuum;

  /// Batches already written by a merged statement.
  private final Set<StoreBatch> ahead = Collections.newSetFromMap(new IdentityHashMap<>());

  PostgresWrites(Connection connection, SqlDialect dialect, PostgresVacuum vacuum) {
    super(connection, dialect);
    this.vacuum = vacuum;
  }

  @Override
  public WriteResult write(StoreBatch batch) throws SQLException {
    if (ahead.remove(batch)) {
      return new WriteResult.Written(batch.seq());
    }
    PreparedStatement statement =
        prepare(
            statement(batch),
            batch.seq(),
            BatchCheck.digest(batch),
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

  /// Writes the next batches of different partitions with one statement. Batches that the statement
  /// did not write are left for single writes.
  void writeAhead(List<StoreBatch> batches) throws SQLException {
    var plain = batches.stream().filter(batch -> batch.reopened().isEmpty()).toList();
    var written = new HashSet<Integer>();
    try (ResultSet row = merged(plain).executeQuery()) {
      while (row.next()) {
        written.add(row.getInt(1));
      }
    } catch (SQLException refusal) {
      if (!(dialect.trouble(refusal) instanceof DatabaseFailure.Data)) {
        throw refusal;
      }
    }
    plain.stream().filter(batch -> written.contains(batch.partition())).forEach(ahead::add);
  }

  private PreparedStatement merged(List<StoreBatch> batches) throws SQLException {
    boolean ends = batches.stream().anyMatch(batch -> !batch.ended().isEmpty());
    boolean keeps = batches.stream().anyMatch(batch -> !batch.keptKeys().isEmpty());
    var statement =
        prepare(MERGED + (ends ? MERGED_ENDED : "") + (keeps ? MERGED_KEYS : "") + WHICH);
    var arrays = new PostgresArrays(connection, statement, 1);
    arrays.ints(batches, StoreBatch::partition);
    arrays.longs(batches, StoreBatch::incarnation);
    arrays.longs(batches, StoreBatch::seq);
    arrays.longs(batches, BatchCheck::digest);
    arrays.bytes(batches, StoreBatch::facts);
    if (ends) {
      arrays.bind(
          "int4", batches.stream().flatMapToInt(PostgresWrites::partitionOfEnded).toArray());
      rows(arrays, batches.stream().flatMap(batch -> batch.ended().stream()).toList());
      counts(arrays, batches);
    }
    if (keeps) {
      arrays.bind("int4", batches.stream().flatMapToInt(PostgresWrites::partitionOfKept).toArray());
      keys(arrays, batches.stream().flatMap(batch -> batch.keptKeys().stream()).toList());
    }
    return statement;
  }

  private static IntStream partitionOfEnded(StoreBatch batch) {
    return batch.ended().stream().mapToInt(row -> batch.partition());
  }

  private static IntStream partitionOfKept(StoreBatch batch) {
    return batch.keptKeys().stream().mapToInt(key -> batch.partition());
  }

  private static void counts(PostgresArrays arrays, List<StoreBatch> batches) throws SQLException {
    record Count(int partition, String status, long n) {}
    var counts = new ArrayList<Count>();
    for (var batch : batches) {
      byStatus(batch).forEach((status, n) -> counts.add(new Count(batch.partition(), status, n)));
    }
    arrays.ints(counts, Count::partition);
    arrays.texts(counts, Count::status);
    arrays.longs(counts, Count::n);
  }

  private static Map<String, Long> byStatus(StoreBatch batch) {
    return batch.ended().stream()
        .collect(Collectors.groupingBy(HistoryRow::status, Collectors.counting()));
  }

  private static String statement(StoreBatch batch) {
    String rows = batch.ended().isEmpty() ? FACTS : ENDING;
    return (batch.reopened().isEmpty() ? rows : REOPENING)
        + (batch.keptKeys().isEmpty() ? "" : KEYS)
        + SELECT;
  }

  private void bind(PreparedStatement statement, StoreBatch batch) throws SQLException {
    var arrays = new PostgresArrays(connection, statement, 7);
    if (!batch.reopened().isEmpty()) {
      arrays.texts(batch.reopened(), id -> id);
    }
    if (!batch.reopened().isEmpty() || !batch.ended().isEmpty()) {
      rows(arrays, batch.ended());
      var counts = List.copyOf(byStatus(batch).entrySet());
      arrays.texts(counts, Map.Entry::getKey);
      arrays.longs(counts, Map.Entry::getValue);
    }
    if (!batch.keptKeys().isEmpty()) {
      keys(arrays, batch.keptKeys());
    }
  }

  private static void keys(PostgresArrays arrays, List<KeptKey> keys) throws SQLException {
    arrays.texts(keys, KeptKey::key);
    arrays.texts(keys, KeptKey::id);
    arrays.texts(keys, KeptKey::fingerprint);
    arrays.longs(keys, key -> key.endedAt().toEpochMilli());
  }

  private static void rows(PostgresArrays arrays, List<HistoryRow> rows) throws SQLException {
    arrays.texts(rows, HistoryRow::id);
    arrays.texts(rows, HistoryRow::kind);
    arrays.texts(rows, HistoryRow::status);
    arrays.texts(rows, HistoryRow::type);
    arrays.texts(rows, HistoryRow::queue);
    arrays.texts(rows, HistoryRow::key);
    arrays.texts(rows, HistoryRow::plan);
    arrays.texts(rows, HistoryRow::labels);
    arrays.ints(rows, HistoryRow::attempt);
    arrays.longs(rows, row -> row.createdAt().toEpochMilli());
    arrays.longs(rows, row -> row.finishedAt().toEpochMilli());
    arrays.bytes(rows, HistoryRow::state);
    arrays.texts(rows, HistoryRow::fingerprint);
  }

  @Override
  protected void trimmed(long bytes) {
    vacuum.trimmed(bytes);
  }
}
