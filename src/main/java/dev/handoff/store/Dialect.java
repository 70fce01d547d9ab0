package dev.handoff.store;

/// Where two databases that speak nearly the same SQL differ.
interface Dialect {

  /// Begins a transaction that writes.
  String begin();

  /// Ledger rows of a page: `seq, facts`, by partition, after, up to, most rows.
  String ledgerPage();

  /// Checkpoint chunks of a page: `number, last, states`, by partition, base, incarnation, from
  /// number, most rows.
  String chunkPage();

  /// History rows of a page, newest first, most rows.
  ///
  /// @param where the conditions, empty or ` WHERE …`
  String historyPage(String where);

  /// Whether a text holds another: `labels`, ?
  String hasLabel();

  /// The tables of contents, as a session writes them.
  BlobTable blobs(SqlSession session);

  /// The same tables, as a session reads them.
  BlobReads blobReads(SqlSession session);

  /// What a failure means.
  Trouble trouble(Throwable failure);
}
