package dev.handoff.store;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/// Reading contents from one database.
interface BlobReads {

  /// Adds those that are stored.
  ///
  /// @param sha256s in order, at most [Widths#MOST]
  void read(List<String> sha256s, Map<String, StoredBlob> found) throws SQLException;
}
