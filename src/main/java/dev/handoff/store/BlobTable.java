package dev.handoff.store;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;

/// The tables of contents in one database. Each call is made within a transaction; rows that it has
/// looked at stay as they are until its end.
interface BlobTable {

  /// A content that is stored.
  ///
  /// @param bytes how much room it takes
  record Stored(long uses, long bytes) {}

  /// How many uses those of these have that are stored.
  Map<String, Long> uses(SortedSet<String> sha256s) throws SQLException;

  /// Stores contents that were not there a moment ago.
  ///
  /// @param uses of these among others
  void insert(List<Blob> fresh, Map<String, Integer> uses) throws SQLException;

  /// Whether contents can be deleted now; if not, it has come a step nearer to it.
  boolean mayDelete() throws SQLException;

  /// Of whom some may be deleted.
  Map<String, Stored> stored(SortedSet<String> sha256s) throws SQLException;

  /// Sets the uses of what is there.
  void set(SortedMap<String, Long> uses) throws SQLException;

  void delete(SortedSet<String> sha256s) throws SQLException;

  /// What was written since the transaction began, or a part of it, was undone.
  void undone();

  /// Owners whose uses are to be given back, which nobody else is giving back at the moment.
  List<String> gone(int most) throws SQLException;
}
