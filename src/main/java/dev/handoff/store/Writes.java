package dev.handoff.store;

import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/// What a session can write. Blocking; called by the thread that owns the session. Each call is
/// made within a transaction that somebody else ends, unless it is a single statement.
interface Writes extends AutoCloseable {

  Ownership takeOver(int partition, String owner) throws SQLException;

  WriteResult write(Batch batch) throws SQLException;

  WriteResult writeChunk(CheckpointChunk chunk) throws SQLException;

  boolean trim(int partition, long incarnation, int limit) throws SQLException;

  int forget(Instant finishedBefore, int limit) throws SQLException;

  /// Deletes rows of history, unless contents are waiting to be given back: then a slice of these
  /// is.
  ///
  /// @return whether the rows are gone, and no contents wait
  boolean forget(OldRows old, Instant finishedBefore) throws SQLException;

  int forgetKeys(Instant endedBefore, int limit) throws SQLException;

  List<Set<String>> keepBlobs(List<Keeping> asked) throws SQLException;

  @Override
  void close() throws SQLException;
}
