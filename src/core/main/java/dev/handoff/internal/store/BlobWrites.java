package dev.handoff.internal.store;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// Reference counting of contents, and deletion of unused ones. A content has one use per request
/// that names it: a repeated request counts twice, and both uses are released.
///
/// A deleted plan may have used a hundred thousand contents. Its id is recorded when its history
/// row is deleted; its uses are then released in slices.
public final class BlobWrites {

  private static final String REMEMBER =
      "INSERT INTO handoff_blob_use (owner, hashes) VALUES (?, ?)";
  private static final String FORGET =
      """
      INSERT INTO handoff_blob_gone (owner) SELECT ?
       WHERE EXISTS (SELECT 1 FROM handoff_blob_use WHERE owner = ?)
          ON CONFLICT DO NOTHING
      """;
  private static final String USES =
      "SELECT number, hashes FROM handoff_blob_use WHERE owner = ? ORDER BY number LIMIT ?";
  private static final String GIVEN_BACK = "DELETE FROM handoff_blob_use WHERE number = ?";
  private static final String LEFT = "UPDATE handoff_blob_use SET hashes = ? WHERE number = ?";
  private static final String DONE =
      """
      DELETE FROM handoff_blob_gone WHERE owner = ?
         AND NOT EXISTS (SELECT 1 FROM handoff_blob_use WHERE owner = ?)
      """;
  private static final String PENDING = "SELECT EXISTS (SELECT 1 FROM handoff_blob_gone)";

  private final SqlSession session;
  private final BlobTable table;

  public BlobWrites(SqlSession session, BlobTable table) {
    this.session = session;
    this.table = table;
  }

  /// Stores contents. Returns the missing known contents per request.
  public List<Set<String>> keep(List<BlobUse> asked) throws SQLException {
    var there = table.uses(BlobUseSum.named(asked));
    var sum = BlobUseSum.of(asked, there::containsKey);
    if (!sum.uses().isEmpty()) {
      table.set(counted(sum.uses(), there));
      table.insert(sum.fresh(there::containsKey), sum.uses());
      remember(sum.remembered());
    }
    return sum.missing();
  }

  /// New number of uses of contents that are already stored.
  private static SortedMap<String, Long> counted(
      SortedMap<String, Integer> more, Map<String, Long> there) {
    var counted = new TreeMap<String, Long>();
    there.forEach((sha256, uses) -> counted.put(sha256, uses + more.getOrDefault(sha256, 0)));
    counted.keySet().retainAll(more.keySet());
    return counted;
  }

  private void remember(List<BlobUseSum.Use> uses) throws SQLException {
    PreparedStatement insert = session.prepare(REMEMBER);
    for (var use : uses) {
      insert.setString(1, use.owner());
      insert.setBytes(2, use.hashes());
      insert.addBatch();
    }
    insert.executeBatch();
  }

  /// Marks all uses of these owners for release.
  public void forget(Collection<String> owners) throws SQLException {
    for (var owner : owners) {
      session.update(FORGET, owner, owner);
    }
  }

  /// Resets cached knowledge after a rollback.
  public void undone() {
    table.undone();
  }

  public boolean isPending() throws SQLException {
    try (ResultSet row = session.query(PENDING)) {
      row.next();
      return row.getBoolean(1);
    }
  }

  /// Releases a slice of the marked uses, or does a part of the preparation.
  public void giveBack() throws SQLException {
    if (table.mayDelete()) {
      giveBackSome();
    }
  }

  private void giveBackSome() throws SQLException {
    var owners = table.gone(ReleasedUses.MOST_USES);
    var released = new ReleasedUses();
    var asked = new ArrayList<String>();
    for (var owner : owners) {
      if (!released.isFull()) {
        asked.add(owner);
        gather(owner, released);
      }
    }
    var change = released.change(table.stored(released.hashes()));
    table.set(change.uses());
    table.delete(change.unused());
    for (var use : change.givenBack()) {
      session.update(GIVEN_BACK, use);
    }
    for (var left : change.left().entrySet()) {
      session.update(LEFT, left.getValue(), left.getKey());
    }
    for (var owner : asked) {
      session.update(DONE, owner, owner);
    }
  }

  private void gather(String owner, ReleasedUses released) throws SQLException {
    try (ResultSet use = session.query(USES, owner, ReleasedUses.MOST_ROWS)) {
      while (!released.isFull() && use.next()) {
        released.add(use.getLong(1), use.getBytes(2));
      }
    }
  }
}
