package dev.handoff.internal.store.postgres;

import dev.handoff.internal.store.BlobReads;
import dev.handoff.internal.store.BlobTable;
import dev.handoff.internal.store.DatabaseFailure;
import dev.handoff.internal.store.HistoryTable;
import dev.handoff.internal.store.PageBuilder;
import dev.handoff.internal.store.SqlDialect;
import dev.handoff.internal.store.SqlSession;
import java.sql.SQLException;
import java.time.Duration;

/// Dialect of PostgreSQL. Its driver loads a whole result before the first row, so page queries
/// limit their bytes in SQL. PostgreSQL knows lengths without reading the values.
final class PostgresDialect implements SqlDialect {

  private static final Duration RETRY = Duration.ofMillis(500);

  @Override
  public String begin() {
    return "BEGIN";
  }

  @Override
  public String ledgerPage() {
    return """
    SELECT seq, facts FROM
      (SELECT seq, facts, sum(length(facts)) OVER (ORDER BY seq) - length(facts) AS ahead FROM
        (SELECT seq, facts FROM handoff_ledger
          WHERE partition = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?) rows) sized
     WHERE ahead < %d ORDER BY seq
    """
        .formatted(PageBuilder.MOST_BYTES);
  }

  @Override
  public String chunkPage() {
    return """
    SELECT number, last, states FROM
      (SELECT number, last, states,
              sum(length(states)) OVER (ORDER BY number) - length(states) AS ahead FROM
        (SELECT number, last, states FROM handoff_checkpoint
          WHERE partition = ? AND base = ? AND incarnation = ? AND number >= ?
          ORDER BY number LIMIT ?) rows) sized
     WHERE ahead < %d ORDER BY number
    """
        .formatted(PageBuilder.MOST_BYTES);
  }

  @Override
  public String historyPage(String where) {
    return """
    SELECT %1$s FROM
      (SELECT %1$s, sum(length(state)) OVER (ORDER BY id DESC) - length(state) AS ahead FROM
        (SELECT %1$s FROM handoff_history%2$s ORDER BY id DESC LIMIT ?) rows) sized
     WHERE ahead < %3$d ORDER BY id DESC
    """
        .formatted(HistoryTable.COLUMNS, where, PageBuilder.MOST_HISTORY_BYTES);
  }

  @Override
  public String hasLabel() {
    return "strpos(labels, ?) > 0";
  }

  @Override
  public BlobTable blobs(SqlSession session) {
    return new PostgresBlobTable(session);
  }

  @Override
  public BlobReads blobReads(SqlSession session) {
    return new PostgresBlobReads(session);
  }

  /// Classifies a failure by its class of SQLSTATE,
  /// <https://www.postgresql.org/docs/current/errcodes-appendix.html>.
  @Override
  public DatabaseFailure trouble(Throwable failure) {
    String state = failure instanceof SQLException refusal ? refusal.getSQLState() : null;
    if (state == null || state.length() < 2) {
      return new DatabaseFailure.Away(String.valueOf(failure.getMessage()), RETRY, false, failure);
    }
    String reason = "%s (SQLSTATE %s)".formatted(failure.getMessage(), state);
    return switch (state.substring(0, 2)) {
      case "22", "23", "54" -> new DatabaseFailure.Data(reason);
      case "42" -> new DatabaseFailure.Damage(reason, failure);
      case "XX" ->
          state.equals("XX001") || state.equals("XX002")
              ? new DatabaseFailure.Damage(reason, failure)
              : away(reason, failure, false);
      case "08", "25", "40" -> away(reason, failure, true);
      case "57" -> away(reason, failure, state.startsWith("57P"));
      default -> away(reason, failure, false);
    };
  }

  private static DatabaseFailure away(String reason, Throwable failure, boolean sessionLost) {
    return new DatabaseFailure.Away(reason, RETRY, sessionLost, failure);
  }
}
