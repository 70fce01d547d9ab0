package dev.handoff.store;

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

/// Contents in SQLite. Their bytes are appended to one table; another one, without rowids, finds
/// them by hash and counts their uses. So a hash, which is at home anywhere, costs one place in one
/// tree, and counting never touches the bytes.
final class SqliteBlobTable implements BlobTable {

  private static final String USES = "SELECT sha256, uses FROM handoff_blob WHERE sha256 IN (%s)";
  private static final String STORED =
      """
      SELECT b.sha256, b.uses, coalesce(length(c.bytes), 0)
        FROM handoff_blob b LEFT JOIN handoff_content c ON c.place = b.place
       WHERE b.sha256 IN (%s)
      """;
  private static final String LAST_PLACE = "SELECT coalesce(max(place), 0) FROM handoff_content";
  private static final String CONTENT = "INSERT INTO handoff_content (place, bytes) VALUES (?, ?)";
  private static final String BLOB =
      "INSERT INTO handoff_blob (sha256, uses, place) VALUES (?, ?, ?)";
  private static final String SET = "UPDATE handoff_blob SET uses = ? WHERE sha256 = ?";
  private static final String DELETE_CONTENT =
      "DELETE FROM handoff_content WHERE place = (SELECT place FROM handoff_blob WHERE sha256 = ?)";
  private static final String DELETE = "DELETE FROM handoff_blob WHERE sha256 = ?";
  private static final String GONE = "SELECT owner FROM handoff_blob_gone ORDER BY owner LIMIT ?";

  private final SqlSession session;

  SqliteBlobTable(SqlSession session) {
    this.session = session;
  }

  @Override
  public Map<String, Long> uses(SortedSet<String> sha256s) throws SQLException {
    var uses = new HashMap<String, Long>();
    Widths.ask(
        session,
        USES,
        bytes(sha256s),
        row -> uses.put(Hashes.hex(row.getBytes(1)), row.getLong(2)));
    return uses;
  }

  @Override
  public void insert(List<Blob> fresh, Map<String, Integer> uses) throws SQLException {
    if (fresh.isEmpty()) {
      return;
    }
    long place = lastPlace();
    PreparedStatement content = session.prepare(CONTENT);
    PreparedStatement blob = session.prepare(BLOB);
    for (var each : fresh) {
      place++;
      content.setLong(1, place);
      content.setBytes(2, each.packed());
      content.addBatch();
      blob.setBytes(1, Hashes.bytes(each.sha256()));
      blob.setLong(2, uses.get(each.sha256()));
      blob.setLong(3, place);
      blob.addBatch();
    }
    content.executeBatch();
    blob.executeBatch();
  }

  private long lastPlace() throws SQLException {
    try (ResultSet row = session.query(LAST_PLACE)) {
      row.next();
      return row.getLong(1);
    }
  }

  @Override
  public Map<String, Stored> stored(SortedSet<String> sha256s) throws SQLException {
    var stored = new HashMap<String, Stored>();
    Widths.ask(
        session,
        STORED,
        bytes(sha256s),
        row -> stored.put(Hashes.hex(row.getBytes(1)), new Stored(row.getLong(2), row.getLong(3))));
    return stored;
  }

  @Override
  public void set(SortedMap<String, Long> uses) throws SQLException {
    if (uses.isEmpty()) {
      return;
    }
    PreparedStatement set = session.prepare(SET);
    for (var use : uses.entrySet()) {
      set.setLong(1, use.getValue());
      set.setBytes(2, Hashes.bytes(use.getKey()));
      set.addBatch();
    }
    set.executeBatch();
  }

  @Override
  public void delete(SortedSet<String> sha256s) throws SQLException {
    if (sha256s.isEmpty()) {
      return;
    }
    for (var statement : List.of(session.prepare(DELETE_CONTENT), session.prepare(DELETE))) {
      for (var sha256 : sha256s) {
        statement.setBytes(1, Hashes.bytes(sha256));
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
    return sha256s.stream().map(Hashes::bytes).toList();
  }
}
