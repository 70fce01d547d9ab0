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
import java.util.TreeMap;
import java.util.TreeSet;

/// Contents in PostgreSQL, where other engines of the cluster write at the same time. Whoever
/// counts holds the rows, and takes them in the order of their hashes. What another one has just
/// deleted is inserted anew: the upsert waits for that transaction, and sees to it.
///
/// Known contents are held first and those that are new are inserted behind them, so that two may
/// still wait for each other. Then the server refuses one of them, and it is done again.
final class PostgresBlobTable implements BlobTable {

  private static final String HELD =
      """
      SELECT sha256, uses, length(bytes) FROM handoff_blob
       WHERE sha256 = ANY (?::bytea[]) ORDER BY sha256 FOR UPDATE
      """;
  private static final String ADD =
      """
      INSERT INTO handoff_blob AS b (sha256, uses, bytes)
      SELECT * FROM unnest(?::bytea[], ?::bigint[], ?::bytea[]) AS new (sha256, uses, bytes)
       ORDER BY sha256
          ON CONFLICT (sha256) DO UPDATE SET uses = b.uses + excluded.uses
      """;
  private static final String COUNT =
      """
      UPDATE handoff_blob b SET uses = b.uses + more.uses
        FROM unnest(?::bytea[], ?::bigint[]) AS more (sha256, uses) WHERE b.sha256 = more.sha256
      """;
  private static final String SET =
      """
      UPDATE handoff_blob b SET uses = now.uses
        FROM unnest(?::bytea[], ?::bigint[]) AS now (sha256, uses) WHERE b.sha256 = now.sha256
      """;
  private static final String DELETE = "DELETE FROM handoff_blob WHERE sha256 = ANY (?::bytea[])";
  private static final String GONE =
      """
      SELECT owner FROM handoff_blob_gone ORDER BY owner LIMIT ? FOR UPDATE SKIP LOCKED
      """;

  private final SqlSession session;

  PostgresBlobTable(SqlSession session) {
    this.session = session;
  }

  @Override
  public SortedSet<String> there(SortedSet<String> sha256s) throws SQLException {
    return new TreeSet<>(stored(sha256s).keySet());
  }

  @Override
  public void add(SortedMap<String, Blob> contents, SortedMap<String, Integer> uses)
      throws SQLException {
    var known = new TreeMap<>(uses);
    known.keySet().removeAll(contents.keySet());
    if (!known.isEmpty()) {
      run(COUNT, known);
    }
    if (!contents.isEmpty()) {
      PreparedStatement add = session.prepare(ADD);
      var arrays = new PostgresArrays(session.connection, add, 1);
      var blobs = List.copyOf(contents.values());
      arrays.bytes(blobs, blob -> Hashes.bytes(blob.sha256()));
      arrays.longs(blobs, blob -> uses.get(blob.sha256()));
      arrays.bytes(blobs, Blob::packed);
      add.executeUpdate();
    }
  }

  @Override
  public Map<String, Stored> stored(SortedSet<String> sha256s) throws SQLException {
    var stored = new HashMap<String, Stored>();
    try (ResultSet row = bound(HELD, sha256s).executeQuery()) {
      while (row.next()) {
        stored.put(Hashes.hex(row.getBytes(1)), new Stored(row.getLong(2), row.getLong(3)));
      }
    }
    return stored;
  }

  @Override
  public void set(SortedMap<String, Long> uses) throws SQLException {
    if (!uses.isEmpty()) {
      run(SET, uses);
    }
  }

  @Override
  public void delete(SortedSet<String> sha256s) throws SQLException {
    if (!sha256s.isEmpty()) {
      bound(DELETE, sha256s).executeUpdate();
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

  private void run(String sql, Map<String, ? extends Number> uses) throws SQLException {
    PreparedStatement statement = session.prepare(sql);
    var arrays = new PostgresArrays(session.connection, statement, 1);
    var entries = List.copyOf(uses.entrySet());
    arrays.bytes(entries, entry -> Hashes.bytes(entry.getKey()));
    arrays.longs(entries, entry -> entry.getValue().longValue());
    statement.executeUpdate();
  }

  private PreparedStatement bound(String sql, Collection<String> sha256s) throws SQLException {
    PreparedStatement statement = session.prepare(sql);
    new PostgresArrays(session.connection, statement, 1).bytes(List.copyOf(sha256s), Hashes::bytes);
    return statement;
  }
}
