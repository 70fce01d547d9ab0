PRAGMA page_size = 8192;
PRAGMA journal_mode = WAL;
CREATE TABLE handoff_meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE handoff_partition (
  id INTEGER PRIMARY KEY,
  incarnation INTEGER NOT NULL,
  owner TEXT NOT NULL,
  seq INTEGER NOT NULL,
  digest INTEGER NOT NULL,
  checkpoint INTEGER NOT NULL,
  checkpoint_incarnation INTEGER NOT NULL
) STRICT;
CREATE TABLE handoff_ledger (
  partition INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  facts BLOB NOT NULL,
  PRIMARY KEY (partition, seq)
) STRICT;
CREATE TABLE handoff_checkpoint (
  partition INTEGER NOT NULL,
  base INTEGER NOT NULL,
  incarnation INTEGER NOT NULL,
  number INTEGER NOT NULL,
  last INTEGER NOT NULL,
  states BLOB NOT NULL,
  PRIMARY KEY (partition, base, incarnation, number)
) STRICT;
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
  state BLOB NOT NULL
) STRICT;
CREATE INDEX handoff_history_status ON handoff_history (status, id);
CREATE INDEX handoff_history_finished ON handoff_history (finished_at);
CREATE UNIQUE INDEX handoff_history_key ON handoff_history (key) WHERE key IS NOT NULL;
CREATE TABLE handoff_history_count (
  partition INTEGER NOT NULL,
  status TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (partition, status)
) STRICT;
CREATE TABLE handoff_blob (sha256 TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
INSERT INTO handoff_checkpoint (partition, base, incarnation, number, last, states) VALUES (0, 2, 1, 0, 0, X'7374617465732030');
INSERT INTO handoff_checkpoint (partition, base, incarnation, number, last, states) VALUES (0, 2, 1, 1, 1, X'7374617465732031');
INSERT INTO handoff_history (id, kind, status, type, queue, key, plan, labels, attempt, created_at, finished_at, state) VALUES ('01JNZ8Q5000000000000000001', 'job', 'succeeded', 'thumbnail', 'default', NULL, NULL, '', 1, 1772359200123, 1772359205456, X'73746174652031');
INSERT INTO handoff_history (id, kind, status, type, queue, key, plan, labels, attempt, created_at, finished_at, state) VALUES ('01JNZ8Q5000000000000000002', 'job', 'failed', 'thumbnail', 'default', 'a key', NULL, '', 1, 1772359200123, 1772359205456, X'73746174652032');
INSERT INTO handoff_history (id, kind, status, type, queue, key, plan, labels, attempt, created_at, finished_at, state) VALUES ('01JNZ8Q5000000000000000009', 'plan', 'succeeded', 'nightly', 'default', NULL, NULL, '|team=blue|', 1, 1772359200123, 1772359205456, X'00FF7F80');
INSERT INTO handoff_history_count (partition, status, n) VALUES (0, 'failed', 1);
INSERT INTO handoff_history_count (partition, status, n) VALUES (0, 'succeeded', 1);
INSERT INTO handoff_history_count (partition, status, n) VALUES (1, 'succeeded', 1);
INSERT INTO handoff_ledger (partition, seq, facts) VALUES (0, 1, X'66616374732031');
INSERT INTO handoff_ledger (partition, seq, facts) VALUES (0, 2, X'66616374732032');
INSERT INTO handoff_ledger (partition, seq, facts) VALUES (0, 3, X'66616374732033');
INSERT INTO handoff_ledger (partition, seq, facts) VALUES (0, 4, X'72656F70656E6564');
INSERT INTO handoff_ledger (partition, seq, facts) VALUES (1, 1, X'66616374732031');
INSERT INTO handoff_meta (name, value) VALUES ('version', '1');
INSERT INTO handoff_meta (name, value) VALUES ('partitions', '2');
INSERT INTO handoff_meta (name, value) VALUES ('created', '2026-11-19T00:25:53.235110155Z');
INSERT INTO handoff_partition (id, incarnation, owner, seq, digest, checkpoint, checkpoint_incarnation) VALUES (0, 1, 'owner of 0', 4, 3784334318, 2, 1);
INSERT INTO handoff_partition (id, incarnation, owner, seq, digest, checkpoint, checkpoint_incarnation) VALUES (1, 1, 'owner of 1', 1, 2425272667, 0, 0);
