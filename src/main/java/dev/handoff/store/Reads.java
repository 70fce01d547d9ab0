package dev.handoff.store;

import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What a session can read. Blocking; called by the thread that owns the session.
interface Reads extends AutoCloseable {

  Replay.Page replay(int partition, Replay.Position from) throws SQLException;

  Optional<HistoryRow> find(String id) throws SQLException;

  List<HistoryRow> list(HistoryQuery query) throws SQLException;

  /// The next rows that retention may delete.
  OldRows old(ForgetSlice slice) throws SQLException;

  Map<String, KeyHolder> findKeys(Collection<String> keys) throws SQLException;

  Map<String, Long> historyCounts() throws SQLException;

  /// @param sha256s names that contents may have, each once
  Map<String, StoredBlob> blobs(List<String> sha256s) throws SQLException;

  @Override
  void close() throws SQLException;
}
