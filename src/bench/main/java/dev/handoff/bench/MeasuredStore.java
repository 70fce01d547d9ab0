package dev.handoff.bench;

import dev.handoff.HandoffBuilder;
import dev.handoff.StoreSettings;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Map;

/// A store with a monitored size on disk.
interface MeasuredStore extends AutoCloseable {

  StoreSettings.Kind kind();

  HandoffBuilder under(HandoffBuilder builder);

  /// Samples the current size. Called often; the maximum counts.
  void look() throws SQLException;

  /// Sizes after the engine's end.
  Taken taken() throws SQLException;

  @Override
  void close() throws IOException;

  /// Bytes on disk.
  ///
  /// @param aside maximum size of all data except history
  /// @param history size of the job history with its indexes
  /// @param parts final size per part
  /// @param batches number of ledger commits
  record Taken(long aside, long history, Map<String, Long> parts, long batches) {}
}
