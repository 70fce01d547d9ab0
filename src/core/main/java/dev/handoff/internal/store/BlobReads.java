package dev.handoff.internal.store;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/// Reader of contents from one database.
public interface BlobReads {

  /// Adds the stored contents to `found`.
  ///
  /// @param sha256s sorted hashes, at most [InList#MOST]
  void read(List<String> sha256s, Map<String, StoredBlob> found) throws SQLException;
}
