package dev.handoff.internal.store;

import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/// Write operations of a session. They block, and run on the session's own thread. Unless it is a
/// single statement, each call runs within a transaction of its caller.
public interface StoreWrites extends AutoCloseable {

  PartitionOwnership takeOver(int partition, String owner) throws SQLException;

  WriteResult write(StoreBatch batch) throws SQLException;

  WriteResult writeChunk(CheckpointChunk chunk) throws SQLException;

  boolean trim(int partition, long incarnation, int limit) throws SQLException;

  int forget(Instant finishedBefore, int limit) throws SQLException;

  /// Deletes history rows. If contents still have to be released, it releases a slice of them
  /// instead.
  ///
  /// @return whether the rows are deleted and no contents are left to release
  boolean forget(OldRows old, Instant finishedBefore) throws SQLException;

  int forgetKeys(Instant endedBefore, int limit) throws SQLException;

  List<Set<String>> keepBlobs(List<BlobUse> asked) throws SQLException;

  @Override
  void close() throws SQLException;
}
