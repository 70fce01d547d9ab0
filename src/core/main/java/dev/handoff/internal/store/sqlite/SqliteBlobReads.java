package dev.handoff.internal.store.sqlite;

import dev.handoff.internal.store.BlobReads;
import dev.handoff.internal.store.ContentHashes;
import dev.handoff.internal.store.InList;
import dev.handoff.internal.store.SqlSession;
import dev.handoff.internal.store.StoredBlob;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Contents in SQLite. New contents are looked up before the index, so a content that moves into
/// the index meanwhile is found there.
final class SqliteBlobReads implements BlobReads {

  private static final String INDEXED =
      """
      SELECT b.sha256, c.bytes FROM handoff_blob b LEFT JOIN handoff_content c ON c.place = b.place
       WHERE b.sha256 IN (%s)
      """;
  private static final String CONTENT = "SELECT bytes FROM handoff_content WHERE place = ?";

  private final SqlSession session;
  private final NewBlobs fresh;

  SqliteBlobReads(SqlSession session) {
    this.session = session;
    this.fresh = new NewBlobs(session);
  }

  @Override
  public void read(List<String> sha256s, Map<String, StoredBlob> found) throws SQLException {
    fresh.refresh();
    readIndexed(sha256s, found);
    for (var sha256 : sha256s) {
      var place = fresh.place(sha256);
      if (place != null && !found.containsKey(sha256)) {
        readAt(place, sha256, found);
      }
    }
  }

  private void readIndexed(List<String> sha256s, Map<String, StoredBlob> found)
      throws SQLException {
    InList.ask(
        session,
        INDEXED,
        sha256s.stream().map(ContentHashes::bytes).toList(),
        row -> {
          var sha256 = ContentHashes.hex(row.getBytes(1));
          found.put(sha256, StoredBlob.of(sha256, row.getBytes(2)));
        });
  }

  /// Reads a new content at its place. A missing one was moved into the index or deleted meanwhile,
  /// or it is lost.
  private void readAt(long place, String sha256, Map<String, StoredBlob> found)
      throws SQLException {
    byte[] packed = packedAt(place);
    if (packed == null) {
      fresh.refresh();
    }
    if (packed != null || fresh.place(sha256) != null) {
      found.put(sha256, StoredBlob.of(sha256, packed));
    } else {
      readIndexed(List.of(sha256), found);
    }
  }

  private byte @Nullable [] packedAt(long place) throws SQLException {
    try (ResultSet row = session.query(CONTENT, place)) {
      return row.next() ? row.getBytes(1) : null;
    }
  }
}
