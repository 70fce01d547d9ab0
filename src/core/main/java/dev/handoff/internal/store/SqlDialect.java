package dev.handoff.internal.store;

/// Differences between two databases with nearly the same SQL.
public interface SqlDialect {

  /// Statement that begins a writing transaction.
  String begin();

  /// Query for a page of ledger rows `seq, facts`. Parameters: partition, after, up to, row limit.
  String ledgerPage();

  /// Query for a page of checkpoint chunks `number, last, states`. Parameters: partition, base,
  /// incarnation, first number, row limit.
  String chunkPage();

  /// Query for a page of history rows, newest first. Last parameter: row limit.
  ///
  /// @param where conditions, empty or ` WHERE …`
  String historyPage(String where);

  /// Condition that `labels` contains the parameter.
  String hasLabel();

  /// Content tables for a writing session.
  BlobTable blobs(SqlSession session);

  /// Content tables for a reading session.
  BlobReads blobReads(SqlSession session);

  /// Classifies a failure of the database.
  DatabaseFailure trouble(Throwable failure);
}
