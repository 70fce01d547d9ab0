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
CREATE TABLE handoff_blob (
  sha256 bytea PRIMARY KEY,
  uses bigint NOT NULL,
  bytes bytea NOT NULL
);
ALTER TABLE handoff_blob ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE TABLE handoff_blob_use (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner text COLLATE "C" NOT NULL,
  hashes bytea NOT NULL
);
ALTER TABLE handoff_blob_use ALTER COLUMN hashes SET STORAGE EXTERNAL;
CREATE INDEX handoff_blob_use_owner ON handoff_blob_use (owner, number);
CREATE TABLE handoff_blob_gone (owner text COLLATE "C" PRIMARY KEY);
INSERT INTO handoff_blob (sha256, uses, bytes) VALUES (E'\\x0b84b7d92b15f94422f1dd726ecc517fd23861ea804a4c20cb4595f8c5685b07', '1', E'\\x014b54c8c9cc4b5528c9482c51c82c56284ecc4c51484c4fcccce34a1c923200');
INSERT INTO handoff_blob (sha256, uses, bytes) VALUES (E'\\x2718de24a7d729684b316e0b209a590ef0f3bf40e850c3fb57bfeeb4fb5fb45f', '1', E'\\x006f6620616e6f74686572');
INSERT INTO handoff_blob (sha256, uses, bytes) VALUES (E'\\xa4d26868017c0ccffe2efe50944ef4211834660cca834c6e9f86dec6a88246fa', '2', E'\\x00736861726564');
INSERT INTO handoff_blob_use (number, owner, hashes) OVERRIDING SYSTEM VALUE VALUES ('1', '01JNZ8Q5000000000000000009', E'\\x0b84b7d92b15f94422f1dd726ecc517fd23861ea804a4c20cb4595f8c5685b07a4d26868017c0ccffe2efe50944ef4211834660cca834c6e9f86dec6a88246fa');
INSERT INTO handoff_blob_use (number, owner, hashes) OVERRIDING SYSTEM VALUE VALUES ('2', '01JNZ8Q5000000000000000010', E'\\x2718de24a7d729684b316e0b209a590ef0f3bf40e850c3fb57bfeeb4fb5fb45fa4d26868017c0ccffe2efe50944ef4211834660cca834c6e9f86dec6a88246fa');
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
INSERT INTO handoff_meta (name, value) VALUES ('version', '2');
INSERT INTO handoff_meta (name, value) VALUES ('partitions', '2');
INSERT INTO handoff_meta (name, value) VALUES ('created', '2026-11-19T00:25:57.239325887Z');
INSERT INTO handoff_meta (name, value) VALUES ('owner', 'the test on this host');
INSERT INTO handoff_partition (id, incarnation, owner, seq, digest, checkpoint, checkpoint_incarnation) VALUES ('1', '1', 'owner of 1', '1', '2425272667', '0', '0');
INSERT INTO handoff_partition (id, incarnation, owner, seq, digest, checkpoint, checkpoint_incarnation) VALUES ('0', '1', 'owner of 0', '4', '3784334318', '2', '1');
SELECT setval(pg_get_serial_sequence('handoff_blob_use', 'number'), 2);
