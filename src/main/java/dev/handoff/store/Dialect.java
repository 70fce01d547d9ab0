package dev.handoff.store;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

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

  /// Contents of a page: `sha256, bytes`, in the order of their hashes. A page may end after about
  /// 16 MiB, but holds one at least if there is one.
  ///
  /// @param sha256s in order, at most [Widths#MOST]
  PreparedStatement blobPage(SqlSession session, List<String> sha256s) throws SQLException;

  /// What a failure means.
  Trouble trouble(Throwable failure);
}
