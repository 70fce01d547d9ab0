package dev.handoff.internal.store.postgres;

import dev.handoff.internal.store.BlobTable;
import dev.handoff.internal.store.ContentHashes;
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

/// Contents in PostgreSQL, where other engines of the cluster write concurrently. A session first
/// locks existing rows, then inserts missing ones, both sorted by hash, so deadlocks are rare. A
/// deadlock is still possible if a third session inserts in between; the server then aborts one
/// transaction, which is retried.
///
/// The upsert waits for concurrent transactions: it adds uses to a content inserted meanwhile, and
/// inserts a content deleted meanwhile again.
final class PostgresBlobTable implements BlobTable {

  private static final String HELD =
      """
      SELECT sha256, uses, length(bytes) FROM handoff_blob
       WHERE sha256 = ANY (?::bytea[]) ORDER BY sha256 FOR UPDATE
      """;
  private static final String INSERT =
      """
      INSERT INTO handoff_blob AS b (sha256, uses, bytes)
      SELECT * FROM unnest(?::bytea[], ?::bigint[], ?::bytea[]) AS new (sha256, uses, bytes)
       ORDER BY sha256
          ON CONFLICT (sha256) DO UPDATE SET uses = b.uses + excluded.uses
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
  public Map<String, Long> uses(SortedSet<String> sha256s) throws SQLException {
    var uses = new HashMap<String, Long>();
    stored(sha256s).forEach((sha256, stored) -> uses.put(sha256, stored.uses()));
    return uses;
  }

  @Override
  public void insert(List<PackedBlob> fresh, Map<String, Integer> uses) throws SQLException {
    if (!fresh.isEmpty()) {
      PreparedStatement insert = session.prepare(INSERT);
      var arrays = new PostgresArrays(session.connection, insert, 1);
      arrays.bytes(fresh, blob -> ContentHashes.bytes(blob.sha256()));
      arrays.longs(fresh, blob -> uses.get(blob.sha256()));
      arrays.bytes(fresh, PackedBlob::packed);
      insert.executeUpdate();
    }
  }

  @Override
  public boolean mayDelete() {
    return true;
  }

  /// Session without a cache: there is nothing to reset.
  @Override
  public void undone() {}

  @Override
  public Map<String, Stored> stored(SortedSet<String> sha256s) throws SQLException {
    var stored = new HashMap<String, Stored>();
    try (ResultSet row = bound(HELD, sha256s).executeQuery()) {
      while (row.next()) {
        stored.put(ContentHashes.hex(row.getBytes(1)), new Stored(row.getLong(2), row.getLong(3)));
      }
    }
    return stored;
  }

  @Override
  public void set(SortedMap<String, Long> uses) throws SQLException {
    if (!uses.isEmpty()) {
      PreparedStatement set = session.prepare(SET);
      var arrays = new PostgresArrays(session.connection, set, 1);
      var entries = List.copyOf(uses.entrySet());
      arrays.bytes(entries, entry -> ContentHashes.bytes(entry.getKey()));
      arrays.longs(entries, Map.Entry::getValue);
      set.executeUpdate();
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

  private PreparedStatement bound(String sql, Collection<String> sha256s) throws SQLException {
    PreparedStatement statement = session.prepare(sql);
    new PostgresArrays(session.connection, statement, 1)
        .bytes(List.copyOf(sha256s), ContentHashes::bytes);
    return statement;
  }
}
