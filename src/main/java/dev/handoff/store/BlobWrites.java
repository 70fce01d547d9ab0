package dev.handoff.store;

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

/// Contents, who uses them, and what becomes of them when nobody does. A content has as many uses
/// as there are keepings that name it: doing a keeping twice adds both, and both are given back.
///
/// A plan that is forgotten may have used a hundred thousand. Its name is written down with the end
/// of its row, and a slice of its uses is given back at a time, until none is left.
final class BlobWrites {

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

  BlobWrites(SqlSession session, BlobTable table) {
    this.session = session;
    this.table = table;
  }

  /// Answers which of the known ones are missing, by keeping.
  List<Set<String>> keep(List<Keeping> asked) throws SQLException {
    var there = table.uses(Tally.named(asked));
    var tally = Tally.of(asked, there::containsKey);
    if (!tally.uses().isEmpty()) {
      table.set(counted(tally.uses(), there));
      table.insert(tally.fresh(there::containsKey), tally.uses());
      remember(tally.remembered());
    }
    return tally.missing();
  }

  /// How many uses those have then that are there.
  private static SortedMap<String, Long> counted(
      SortedMap<String, Integer> more, Map<String, Long> there) {
    var counted = new TreeMap<String, Long>();
    there.forEach((sha256, uses) -> counted.put(sha256, uses + more.getOrDefault(sha256, 0)));
    counted.keySet().retainAll(more.keySet());
    return counted;
  }

  private void remember(List<Tally.Use> uses) throws SQLException {
    PreparedStatement insert = session.prepare(REMEMBER);
    for (var use : uses) {
      insert.setString(1, use.owner());
      insert.setBytes(2, use.hashes());
      insert.addBatch();
    }
    insert.executeBatch();
  }

  /// From now on nobody uses what these have used.
  void forget(Collection<String> owners) throws SQLException {
    for (var owner : owners) {
      session.update(FORGET, owner, owner);
    }
  }

  /// What was written in this transaction was undone.
  void undone() {
    table.undone();
  }

  boolean isPending() throws SQLException {
    try (ResultSet row = session.query(PENDING)) {
      row.next();
      return row.getBoolean(1);
    }
  }

  /// Gives a slice of the uses of those back who are forgotten, or comes a step nearer to it.
  void giveBack() throws SQLException {
    if (table.mayDelete()) {
      giveBackSome();
    }
  }

  private void giveBackSome() throws SQLException {
    var owners = table.gone(Slice.MOST_USES);
    var slice = new Slice();
    var asked = new ArrayList<String>();
    for (var owner : owners) {
      if (!slice.isFull()) {
        asked.add(owner);
        gather(owner, slice);
      }
    }
    var change = slice.change(table.stored(slice.hashes()));
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

  private void gather(String owner, Slice slice) throws SQLException {
    try (ResultSet use = session.query(USES, owner, Slice.MOST_ROWS)) {
      while (!slice.isFull() && use.next()) {
        slice.add(use.getLong(1), use.getBytes(2));
      }
    }
  }
}
