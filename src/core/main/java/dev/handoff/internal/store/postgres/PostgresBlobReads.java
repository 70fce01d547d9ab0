package dev.handoff.internal.store.postgres;

import dev.handoff.internal.store.BlobReads;
import dev.handoff.internal.store.ContentHashes;
import dev.handoff.internal.store.PageBuilder;
import dev.handoff.internal.store.SqlSession;
import dev.handoff.internal.store.StoredBlob;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/// Contents in PostgreSQL, read in pages of limited size: the driver loads all rows of a result at
/// once.
final class PostgresBlobReads implements BlobReads {

  /// Page query, sorted by hash; a page has at least one content if any is stored.
  private static final String PAGE =
      """
      SELECT sha256, bytes FROM
        (SELECT sha256, bytes, sum(length(bytes)) OVER (ORDER BY sha256) - length(bytes) AS ahead
           FROM handoff_blob WHERE sha256 = ANY (?::bytea[])) sized
       WHERE ahead < %d ORDER BY sha256
      """
          .formatted(PageBuilder.MOST_BLOB_BYTES);

  private final SqlSession session;

  PostgresBlobReads(SqlSession session) {
    this.session = session;
  }

  /// Reads page by page. Contents behind the last one of a page may be missing, or may not have
  /// fitted.
  @Override
  public void read(List<String> sha256s, Map<String, StoredBlob> found) throws SQLException {
    var left = sha256s;
    long bytes = PageBuilder.MOST_BLOB_BYTES;
    while (!left.isEmpty() && bytes >= PageBuilder.MOST_BLOB_BYTES) {
      bytes = 0;
      String last = "";
      try (ResultSet row = page(left).executeQuery()) {
        while (row.next()) {
          last = ContentHashes.hex(row.getBytes(1));
          byte[] packed = row.getBytes(2);
          bytes += packed.length;
          found.put(last, StoredBlob.of(last, packed));
        }
      }
      left = left.subList(left.indexOf(last) + 1, left.size());
    }
  }

  private PreparedStatement page(List<String> sha256s) throws SQLException {
    PreparedStatement page = session.prepare(PAGE);
    new PostgresArrays(session.connection, page, 1).bytes(sha256s, ContentHashes::bytes);
    return page;
  }
}
