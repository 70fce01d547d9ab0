package dev.handoff.internal.store;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;

/// Content tables of one database. Each call runs within a transaction; rows it has read stay
/// unchanged until the transaction ends.
public interface BlobTable {

  /// Stored content.
  ///
  /// @param bytes stored size
  record Stored(long uses, long bytes) {}

  /// Number of uses per stored content; missing contents are left out.
  Map<String, Long> uses(SortedSet<String> sha256s) throws SQLException;

  /// Inserts contents that were missing in [#uses].
  ///
  /// @param uses number of uses per content; may include other contents
  void insert(List<PackedBlob> fresh, Map<String, Integer> uses) throws SQLException;

  /// Returns whether contents can be deleted now. If not, this call did a part of the necessary
  /// preparation.
  boolean mayDelete() throws SQLException;

  /// Stored contents among candidates for deletion.
  Map<String, Stored> stored(SortedSet<String> sha256s) throws SQLException;

  /// Sets the number of uses of stored contents.
  void set(SortedMap<String, Long> uses) throws SQLException;

  void delete(SortedSet<String> sha256s) throws SQLException;

  /// Resets cached knowledge after a rollback, also of a part of the transaction.
  void undone();

  /// Owners whose uses are to be released, without those that another session releases now.
  List<String> gone(int most) throws SQLException;
}
