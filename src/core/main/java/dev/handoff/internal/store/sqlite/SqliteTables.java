package dev.handoff.internal.store.sqlite;

import dev.handoff.internal.store.SqlSchema;
import java.util.List;
import java.util.stream.Stream;

/// Tables in SQLite. History has rowids: at 8 KiB pages, 200,000 rows/s were inserted with rowids
/// and 147,000 without, because each secondary index then contains the whole id.
final class SqliteTables {

  /// Contents and their uses.
  static final List<String> BLOBS =
      List.of(
          """
          CREATE TABLE handoff_blob (
            sha256 BLOB NOT NULL PRIMARY KEY,
            uses INTEGER NOT NULL,
            place INTEGER NOT NULL
          ) STRICT, WITHOUT ROWID
          """,
          """
          CREATE TABLE handoff_blob_new (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            hashes BLOB NOT NULL
          ) STRICT
          """,
          "CREATE TABLE handoff_content (place INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT",
          """
          CREATE TABLE handoff_blob_use (
            number INTEGER PRIMARY KEY,
            owner TEXT NOT NULL,
            hashes BLOB NOT NULL
          ) STRICT
          """,
          "CREATE INDEX handoff_blob_use_owner ON handoff_blob_use (owner)",
          "CREATE TABLE handoff_blob_gone (owner TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID");

  /// Fingerprints of keyed rows. Older rows have none. In an upgraded store this column follows the
  /// state, so SQLite reads the state to reach it.
  static final List<String> FINGERPRINTS =
      List.of("ALTER TABLE handoff_history ADD COLUMN fingerprint TEXT");

  /// Keys of jobs without a history row.
  static final List<String> KEPT_KEYS =
      List.of(
          """
          CREATE TABLE handoff_kept_key (
            key TEXT NOT NULL PRIMARY KEY,
            id TEXT NOT NULL,
            fingerprint TEXT NOT NULL,
            ended_at INTEGER NOT NULL
          ) STRICT, WITHOUT ROWID
          """,
          "CREATE INDEX handoff_kept_key_ended ON handoff_kept_key (ended_at)");

  private static final List<String> REST =
      List.of(
          "CREATE TABLE handoff_meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT",
          """
          CREATE TABLE handoff_partition (
            id INTEGER PRIMARY KEY,
            incarnation INTEGER NOT NULL,
            owner TEXT NOT NULL,
            seq INTEGER NOT NULL,
            digest INTEGER NOT NULL,
            checkpoint INTEGER NOT NULL,
            checkpoint_incarnation INTEGER NOT NULL
          ) STRICT
          """,
          """
          CREATE TABLE handoff_ledger (
            partition INTEGER NOT NULL,
            seq INTEGER NOT NULL,
            facts BLOB NOT NULL,
            PRIMARY KEY (partition, seq)
          ) STRICT
          """,
          """
          CREATE TABLE handoff_checkpoint (
            partition INTEGER NOT NULL,
            base INTEGER NOT NULL,
            incarnation INTEGER NOT NULL,
            number INTEGER NOT NULL,
            last INTEGER NOT NULL,
            states BLOB NOT NULL,
            PRIMARY KEY (partition, base, incarnation, number)
          ) STRICT
          """,
          """
          CREATE TABLE handoff_history (
            id TEXT NOT NULL PRIMARY KEY,
            kind TEXT NOT NULL,
            status TEXT NOT NULL,
            type TEXT NOT NULL,
            queue TEXT NOT NULL,
            key TEXT,
            plan TEXT,
            labels TEXT NOT NULL,
            attempt INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            finished_at INTEGER NOT NULL,
            fingerprint TEXT,
            state BLOB NOT NULL
          ) STRICT
          """,
          "CREATE INDEX handoff_history_status ON handoff_history (status, id)",
          "CREATE INDEX handoff_history_finished ON handoff_history (finished_at)",
          "CREATE UNIQUE INDEX handoff_history_key ON handoff_history (key) WHERE key IS NOT NULL",
          """
          CREATE TABLE handoff_history_count (
            partition INTEGER NOT NULL,
            status TEXT NOT NULL,
            n INTEGER NOT NULL,
            PRIMARY KEY (partition, status)
          ) STRICT
          """);

  static final List<String> STATEMENTS =
      Stream.of(REST, BLOBS, KEPT_KEYS).flatMap(List::stream).toList();

  static final SqlSchema.Additions ADDITIONS =
      new SqlSchema.Additions(BLOBS, FINGERPRINTS, KEPT_KEYS);

  private SqliteTables() {}
}
