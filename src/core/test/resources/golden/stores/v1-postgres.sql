CREATE TABLE handoff_meta (name text PRIMARY KEY, value text NOT NULL);
CREATE TABLE handoff_partition (
  id int PRIMARY KEY,
  incarnation bigint NOT NULL,
  owner text NOT NULL,
  seq bigint NOT NULL,
  digest bigint NOT NULL,
  checkpoint bigint NOT NULL,
  checkpoint_incarnation bigint NOT NULL
) WITH (fillfactor = 10);
CREATE TABLE handoff_ledger (
  partition int NOT NULL,
  seq bigint NOT NULL,
  facts bytea NOT NULL,
  PRIMARY KEY (partition, seq)
);
ALTER TABLE handoff_ledger ALTER COLUMN facts SET STORAGE EXTERNAL;
CREATE TABLE handoff_checkpoint (
  partition int NOT NULL,
  base bigint NOT NULL,
  incarnation bigint NOT NULL,
  number int NOT NULL,
  last int NOT NULL,
  states bytea NOT NULL,
  PRIMARY KEY (partition, base, incarnation, number)
);
ALTER TABLE handoff_checkpoint ALTER COLUMN states SET STORAGE EXTERNAL;
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
  state bytea NOT NULL
);
ALTER TABLE handoff_history ALTER COLUMN state SET STORAGE EXTERNAL;
CREATE INDEX handoff_history_status ON handoff_history (status, id)
 WHERE status <> 'succeeded';
CREATE INDEX handoff_history_finished ON handoff_history (finished_at);
CREATE UNIQUE INDEX handoff_history_key ON handoff_history (key) WHERE key IS NOT NULL;
CREATE TABLE handoff_history_count (
  partition int NOT NULL,
  status text COLLATE "C" NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (partition, status)
) WITH (fillfactor = 10);
CREATE TABLE handoff_blob (sha256 text COLLATE "C" PRIMARY KEY, bytes bytea NOT NULL);
ALTER TABLE handoff_blob ALTER COLUMN bytes SET STORAGE EXTERNAL;
INSERT INTO handoff_checkpoint (partition, base, incarnation, number, last, states) VALUES ('0', '2', '1', '0', '0', E'\\x7374617465732030');
INSERT INTO handoff_checkpoint (partition, base, incarnation, number, last, states) VALUES ('0', '2', '1', '1', '1', E'\\x7374617465732031');
INSERT INTO handoff_history (id, kind, status, type, queue, key, plan, labels, attempt, created_at, finished_at, state) VALUES ('01JNZ8Q5000000000000000001', 'job', 'succeeded', 'thumbnail', 'default', NULL, NULL, '', '1', '1772359200123', '1772359205456', E'\\x73746174652031');
INSERT INTO handoff_history (id, kind, status, type, queue, key, plan, labels, attempt, created_at, finished_at, state) VALUES ('01JNZ8Q5000000000000000002', 'job', 'failed', 'thumbnail', 'default', 'a key', NULL, '', '1', '1772359200123', '1772359205456', E'\\x73746174652032');
INSERT INTO handoff_history (id, kind, status, type, queue, key, plan, labels, attempt, created_at, finished_at, state) VALUES ('01JNZ8Q5000000000000000009', 'plan', 'succeeded', 'nightly', 'default', NULL, NULL, '|team=blue|', '1', '1772359200123', '1772359205456', E'\\x00ff7f80');
INSERT INTO handoff_history_count (partition, status, n) VALUES ('0', 'failed', '1');
INSERT INTO handoff_history_count (partition, status, n) VALUES ('0', 'succeeded', '1');
INSERT INTO handoff_history_count (partition, status, n) VALUES ('1', 'succeeded', '1');
INSERT INTO handoff_ledger (partition, seq, facts) VALUES ('0', '1', E'\\x66616374732031');
INSERT INTO handoff_ledger (partition, seq, facts) VALUES ('0', '2', E'\\x66616374732032');
INSERT INTO handoff_ledger (partition, seq, facts) VALUES ('0', '3', E'\\x66616374732033');
INSERT INTO handoff_ledger (partition, seq, facts) VALUES ('0', '4', E'\\x72656f70656e6564');
INSERT INTO handoff_ledger (partition, seq, facts) VALUES ('1', '1', E'\\x66616374732031');
INSERT INTO handoff_meta (name, value) VALUES ('version', '1');
INSERT INTO handoff_meta (name, value) VALUES ('partitions', '2');
INSERT INTO handoff_meta (name, value) VALUES ('created', '2026-11-19T00:25:54.080690158Z');
INSERT INTO handoff_meta (name, value) VALUES ('owner', 'the test on this host');
INSERT INTO handoff_partition (id, incarnation, owner, seq, digest, checkpoint, checkpoint_incarnation) VALUES ('1', '1', 'owner of 1', '1', '2425272667', '0', '0');
INSERT INTO handoff_partition (id, incarnation, owner, seq, digest, checkpoint, checkpoint_incarnation) VALUES ('0', '1', 'owner of 0', '4', '3784334318', '2', '1');
