package dev.handoff.internal.store.sqlite;

import dev.handoff.internal.store.BlobTable;
import dev.handoff.internal.store.ContentHashes;
import dev.handoff.internal.store.InList;
import dev.handoff.internal.store.PackedBlob;
import dev.handoff.internal.store.SqlSession;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;

/// Contents in SQLite. One table holds the bytes, append-only. A second table without rowids is the
/// index: it maps hashes to places and counts uses.
///
/// Hashes are spread over the whole index, so each inserted content rewrites a page of its own, ten
/// times the content's size. Therefore a write first appends its hashes as one row of [NewBlobs].
/// Later they move into the index, many at once and sorted, so that neighbours share a page. A
/// content outside the index has one use; its second use puts it into the index. Nothing is deleted
/// before the index is complete.
final class SqliteBlobTable implements BlobTable {

  private static final String USES = "SELECT sha256, uses FROM handoff_blob WHERE sha256 IN (%s)";
  private static final String STORED =
      """
      SELECT b.sha256, b.uses, coalesce(length(c.bytes), 0)
        FROM handoff_blob b LEFT JOIN handoff_content c ON c.place = b.place
       WHERE b.sha256 IN (%s)
      """;
  private static final String NEW =
      "INSERT INTO handoff_blob_new (hashes) VALUES (?) RETURNING number";
  private static final String CONTENT = "INSERT INTO handoff_content (place, bytes) VALUES (?, ?)";
  private static final String INDEX =
      """
      INSERT INTO handoff_blob (sha256, uses, place) VALUES (?, ?, ?)
          ON CONFLICT (sha256) DO UPDATE SET uses = excluded.uses
      """;
  private static final String SETTLE =
      "INSERT INTO handoff_blob (sha256, uses, place) VALUES (?, 1, ?) ON CONFLICT DO NOTHING";
  private static final String SETTLED = "DELETE FROM handoff_blob_new WHERE number <= ?";
  private static final String DELETE_CONTENT =
      "DELETE FROM handoff_content WHERE place = (SELECT place FROM handoff_blob WHERE sha256 = ?)";
  private static final String DELETE = "DELETE FROM handoff_blob WHERE sha256 = ?";
  private static final String GONE = "SELECT owner FROM handoff_blob_gone ORDER BY owner LIMIT ?";

  /// Dummy place for contents already in the index, whose place does not change.
  private static final long NOWHERE = 0;

  /// Pace of moves into the index.
  ///
  /// @param mostNew number of new contents at which moves begin
  /// @param withAWrite least number of moves per write, and at least twice the contents of the
  ///   write
  /// @param atOnce number of moves at a time before a deletion, more than per write
  record Pace(int mostNew, int withAWrite, int atOnce) {
    static final Pace USUAL = new Pace(16_384, 2_048, 8_192);
  }

  private final SqlSession session;
  private final Pace pace;
  private final NewBlobs fresh;

  /// Contents being moved, and the number of their last row.
  private List<String> moving = List.of();

  private long movingTo;

  SqliteBlobTable(SqlSession session) {
    this(session, Pace.USUAL);
  }

  SqliteBlobTable(SqlSession session, Pace pace) {
    this.session = session;
    this.pace = pace;
    this.fresh = new NewBlobs(session);
  }

  @Override
  public Map<String, Long> uses(SortedSet<String> sha256s) throws SQLException {
    fresh.refresh();
    var uses = new HashMap<String, Long>();
    for (var sha256 : sha256s) {
      if (fresh.place(sha256) != null) {
        uses.put(sha256, 1L);
      }
    }
    InList.ask(
        session,
        USES,
        bytes(sha256s),
        row -> uses.put(ContentHashes.hex(row.getBytes(1)), row.getLong(2)));
    return uses;
  }

  @Override
  public void insert(List<PackedBlob> contents, Map<String, Integer> uses) throws SQLException {
    for (int from = 0; from < contents.size(); from += NewBlobs.MOST_IN_ROW) {
      int to = Math.min(contents.size(), from + NewBlobs.MOST_IN_ROW);
      insertRow(contents.subList(from, to), uses);
    }
    if (!moving.isEmpty() || fresh.size() > pace.mostNew()) {
      move(Math.max(pace.withAWrite(), 2 * contents.size()));
    }
  }

  private void insertRow(List<PackedBlob> contents, Map<String, Integer> uses) throws SQLException {
    long number = newRow(contents);
    PreparedStatement content = session.prepare(CONTENT);
    PreparedStatement index = session.prepare(INDEX);
    for (int at = 0; at < contents.size(); at++) {
      var each = contents.get(at);
      long place = NewBlobs.place(number, at);
      content.setLong(1, place);
      content.setBytes(2, each.packed());
      content.addBatch();
      if (uses.get(each.sha256()) > 1) {
        index(index, each.sha256(), uses.get(each.sha256()), place);
      }
    }
    content.executeBatch();
    index.executeBatch();
  }

  private long newRow(List<PackedBlob> contents) throws SQLException {
    var hashes = ContentHashes.joined(contents.stream().map(PackedBlob::sha256).toList());
    try (ResultSet row = session.query(NEW, hashes)) {
      row.next();
      return row.getLong(1);
    }
  }

  private static void index(PreparedStatement index, String sha256, long uses, long place)
      throws SQLException {
    index.setBytes(1, ContentHashes.bytes(sha256));
    index.setLong(2, uses);
    index.setLong(3, place);
    index.addBatch();
  }

  /// Moves contents into the index. After a crash or a rollback all of them are moved again, which
  /// is idempotent.
  private void move(int most) throws SQLException {
    if (moving.isEmpty()) {
      fresh.refresh();
      moving = fresh.sorted();
      movingTo = fresh.last();
    }
    var next = moving.subList(0, Math.min(most, moving.size()));
    PreparedStatement settle = session.prepare(SETTLE);
    for (var sha256 : next) {
      settle.setBytes(1, ContentHashes.bytes(sha256));
      settle.setLong(2, fresh.place(sha256));
      settle.addBatch();
    }
    settle.executeBatch();
    moving = moving.subList(next.size(), moving.size());
    if (moving.isEmpty()) {
      session.update(SETTLED, movingTo);
      fresh.refresh();
    }
  }

  @Override
  public boolean mayDelete() throws SQLException {
    fresh.refresh();
    if (!fresh.isEmpty()) {
      move(pace.atOnce());
    }
    return fresh.isEmpty();
  }

  @Override
  public void undone() {
    fresh.forget();
    moving = List.of();
  }

  @Override
  public Map<String, Stored> stored(SortedSet<String> sha256s) throws SQLException {
    var stored = new HashMap<String, Stored>();
    InList.ask(
        session,
        STORED,
        bytes(sha256s),
        row ->
            stored.put(
                ContentHashes.hex(row.getBytes(1)), new Stored(row.getLong(2), row.getLong(3))));
    return stored;
  }

  /// Sets uses. A content used again is in the index from then on.
  @Override
  public void set(SortedMap<String, Long> uses) throws SQLException {
    if (uses.isEmpty()) {
      return;
    }
    PreparedStatement index = session.prepare(INDEX);
    for (var use : uses.entrySet()) {
      var place = fresh.place(use.getKey());
      index(index, use.getKey(), use.getValue(), place == null ? NOWHERE : place);
    }
    index.executeBatch();
  }

  @Override
  public void delete(SortedSet<String> sha256s) throws SQLException {
    if (sha256s.isEmpty()) {
      return;
    }
    for (var statement : List.of(session.prepare(DELETE_CONTENT), session.prepare(DELETE))) {
      for (var sha256 : sha256s) {
        statement.setBytes(1, ContentHashes.bytes(sha256));
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  @Override
  public List<String> gone(int most) throws SQLException {
    var owners = new ArrayList<String>();
    try (ResultSet row = session.query(GONE, most)) {
      while (row.next()) {
        owners.add(row.getString(1));
      }
    }
    return owners;
  }

  private static List<byte[]> bytes(Collection<String> sha256s) {
    return sha256s.stream().map(ContentHashes::bytes).toList();
  }
}
