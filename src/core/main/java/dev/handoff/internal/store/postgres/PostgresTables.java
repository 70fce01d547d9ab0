package dev.handoff.internal.store.postgres;

import dev.handoff.internal.store.SqlSchema;
import java.util.List;
import java.util.stream.Stream;

/// Tables in PostgreSQL. Compared text has the byte-wise collation "C", as in SQLite. Bytes are
/// stored uncompressed: compression costs more than the write. Rows updated by every batch leave
/// free space on their page for the next row version.
final class PostgresTables {

  /// Contents and their uses.
  static final List<String> BLOBS =
      List.of(
          """
          CREATE TABLE handoff_blob (
            sha256 bytea PRIMARY KEY,
            uses bigint NOT NULL,
            bytes bytea NOT NULL
          )
          """,
          "ALTER TABLE handoff_blob ALTER COLUMN bytes SET STORAGE EXTERNAL",
          """
          CREATE TABLE handoff_blob_use (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            owner text COLLATE "C" NOT NULL,
            hashes bytea NOT NULL
          )
          """,
          "ALTER TABLE handoff_blob_use ALTER COLUMN hashes SET STORAGE EXTERNAL",
          "CREATE INDEX handoff_blob_use_owner ON handoff_blob_use (owner, number)",
          "CREATE TABLE handoff_blob_gone (owner text COLLATE \"C\" PRIMARY KEY)");

  /// Fingerprints of keyed rows. Older rows have none and stay unchanged.
  static final List<String> FINGERPRINTS =
      List.of("ALTER TABLE handoff_history ADD COLUMN fingerprint text");

  /// Keys of jobs without a history row.
  static final List<String> KEPT_KEYS =
      List.of(
          """
          CREATE TABLE handoff_kept_key (
            key text COLLATE "C" PRIMARY KEY,
            id text NOT NULL,
            fingerprint text NOT NULL,
            ended_at bigint NOT NULL
          )
          """,
          "CREATE INDEX handoff_kept_key_ended ON handoff_kept_key (ended_at)");

  private static final List<String> REST =
      List.of(
          "CREATE TABLE handoff_meta (name text PRIMARY KEY, value text NOT NULL)",
          """
          CREATE TABLE handoff_partition (
            id int PRIMARY KEY,
            incarnation bigint NOT NULL,
            owner text NOT NULL,
            seq bigint NOT NULL,
            digest bigint NOT NULL,
            checkpoint bigint NOT NULL,
            checkpoint_incarnation bigint NOT NULL
          ) WITH (fillfactor = 10)
          """,
          """
          CREATE TABLE handoff_ledger (
            partition int NOT NULL,
            seq bigint NOT NULL,
            facts bytea NOT NULL,
            PRIMARY KEY (partition, seq)
          )
          """,
          "ALTER TABLE handoff_ledger ALTER COLUMN facts SET STORAGE EXTERNAL",
          """
          CREATE TABLE handoff_checkpoint (
            partition int NOT NULL,
            base bigint NOT NULL,
            incarnation bigint NOT NULL,
            number int NOT NULL,
            last int NOT NULL,
            states bytea NOT NULL,
            PRIMARY KEY (partition, base, incarnation, number)
          )
          """,
          "ALTER TABLE handoff_checkpoint ALTER COLUMN states SET STORAGE EXTERNAL",
          """
          CREATE TABLE handoff_history (
            id text COLLATE "C" PRIMARY KEY,
            kind text NOT NULL,
            status text COLLATE "C" NOT NULL,
            type text NOT NULL,
            queue text NOT NULL,
            key text COLLATE "C",
            plan text,
            labels text NOT NULL,
            attempt int NOT NULL,
            created_at bigint NOT NULL,
            finished_at bigint NOT NULL,
            state bytea NOT NULL,
            fingerprint text
          )
          """,
          "ALTER TABLE handoff_history ALTER COLUMN state SET STORAGE EXTERNAL",
          // Partial index: most jobs succeed, and are looked up by id only.
          """
          CREATE INDEX handoff_history_status ON handoff_history (status, id)
           WHERE status <> 'succeeded'
          """,
          "CREATE INDEX handoff_history_finished ON handoff_history (finished_at)",
          "CREATE UNIQUE INDEX handoff_history_key ON handoff_history (key) WHERE key IS NOT NULL",
          """
          CREATE TABLE handoff_history_count (
            partition int NOT NULL,
            status text COLLATE "C" NOT NULL,
            n bigint NOT NULL,
            PRIMARY KEY (partition, status)
          ) WITH (fillfactor = 10)
          """);

  static final List<String> STATEMENTS =
      Stream.of(REST, BLOBS, KEPT_KEYS).flatMap(List::stream).toList();

  static final SqlSchema.Additions ADDITIONS =
      new SqlSchema.Additions(BLOBS, FINGERPRINTS, KEPT_KEYS);

  private PostgresTables() {}
}
