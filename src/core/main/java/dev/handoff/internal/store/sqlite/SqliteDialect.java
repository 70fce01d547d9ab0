package dev.handoff.internal.store.sqlite;

import dev.handoff.internal.store.BlobReads;
import dev.handoff.internal.store.BlobTable;
import dev.handoff.internal.store.DatabaseFailure;
import dev.handoff.internal.store.HistoryTable;
import dev.handoff.internal.store.SqlDialect;
import dev.handoff.internal.store.SqlSession;
import java.sql.SQLException;
import java.time.Duration;

/// Dialect of SQLite. Page queries need no size limit, because rows are produced as they are read.
final class SqliteDialect implements SqlDialect {

  /// Primary result codes, <https://sqlite.org/rescode.html>.
  static final int BUSY = 5;

  private static final int LOCKED = 6;
  private static final int CORRUPT = 11;
  private static final int FULL = 13;
  private static final int TOO_BIG = 18;
  private static final int CONSTRAINT = 19;
  private static final int MISMATCH = 20;
  private static final int NOT_A_DATABASE = 26;

  @Override
  public String begin() {
    return "BEGIN IMMEDIATE";
  }

  @Override
  public String ledgerPage() {
    return """
    SELECT seq, facts FROM handoff_ledger
     WHERE partition = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?
    """;
  }

  @Override
  public String chunkPage() {
    return """
    SELECT number, last, states FROM handoff_checkpoint
     WHERE partition = ? AND base = ? AND incarnation = ? AND number >= ? ORDER BY number LIMIT ?
    """;
  }

  @Override
  public String historyPage(String where) {
    return "SELECT %s FROM handoff_history%s ORDER BY id DESC LIMIT ?"
        .formatted(HistoryTable.COLUMNS, where);
  }

  @Override
  public String hasLabel() {
    return "instr(labels, ?) > 0";
  }

  @Override
  public BlobTable blobs(SqlSession session) {
    return new SqliteBlobTable(session);
  }

  @Override
  public BlobReads blobReads(SqlSession session) {
    return new SqliteBlobReads(session);
  }

  @Override
  public DatabaseFailure trouble(Throwable failure) {
    String reason = failure.getMessage();
    if (!(failure instanceof SQLException refusal)) {
      return new DatabaseFailure.Away(
          String.valueOf(failure), Duration.ofSeconds(1), false, failure);
    }
    return switch (refusal.getErrorCode() & 0xff) {
      case CONSTRAINT, TOO_BIG, MISMATCH -> new DatabaseFailure.Data(reason);
      case CORRUPT, NOT_A_DATABASE -> new DatabaseFailure.Damage(reason, failure);
      case FULL -> away("no room left for the store: " + reason, Duration.ofSeconds(2), failure);
      case BUSY, LOCKED ->
          away("another program has locked the store: " + reason, Duration.ofMillis(500), failure);
      default -> away(reason, Duration.ofSeconds(1), failure);
    };
  }

  private static DatabaseFailure away(String reason, Duration retryAfter, Throwable failure) {
    return new DatabaseFailure.Away(reason, retryAfter, false, failure);
  }
}
