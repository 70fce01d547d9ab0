package dev.handoff.bench;

import dev.handoff.HandoffBuilder;
import dev.handoff.store.StoreSettings;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Map;

/// A store whose size on disk is watched.
interface Disk extends AutoCloseable {

  StoreSettings.Kind kind();

  HandoffBuilder under(HandoffBuilder builder);

  /// Looks how large it is, while it is used. Called often: what counts is the largest.
  void look() throws SQLException;

  /// After the engine has ended.
  Taken taken() throws SQLException;

  @Override
  void close() throws IOException;

  /// Bytes on disk.
  ///
  /// @param aside the most that there was of everything but history
  /// @param history the history of jobs that have ended, with its indexes
  /// @param parts what there was in the end, by name
  /// @param batches how many commits the ledgers made
  record Taken(long aside, long history, Map<String, Long> parts, long batches) {}
}
