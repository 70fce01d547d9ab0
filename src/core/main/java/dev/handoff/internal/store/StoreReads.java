package dev.handoff.internal.store;

import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Read operations of a session. They block, and run on the session's own thread.
public interface StoreReads extends AutoCloseable {

  PartitionReplay.Page replay(int partition, PartitionReplay.Position from) throws SQLException;

  Optional<HistoryRow> find(String id) throws SQLException;

  List<HistoryRow> list(HistoryQuery query) throws SQLException;

  /// Next rows that retention may delete.
  OldRows old(ForgetSlice slice) throws SQLException;

  Map<String, KeyHolder> findKeys(Collection<String> keys) throws SQLException;

  Map<String, Long> historyCounts() throws SQLException;

  /// @param sha256s valid hashes, without duplicates
  Map<String, StoredBlob> blobs(List<String> sha256s) throws SQLException;

  @Override
  void close() throws SQLException;
}
