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

  /// Which of these are stored.
  SortedSet<String> there(SortedSet<String> sha256s) throws SQLException;

  /// Adds uses; a content that is not there yet is stored with them.
  ///
  /// @param uses of everything that is there or among the contents
  void add(SortedMap<String, Blob> contents, SortedMap<String, Integer> uses) throws SQLException;

  Map<String, Stored> stored(SortedSet<String> sha256s) throws SQLException;

  /// Sets the uses of what is there.
  void set(SortedMap<String, Long> uses) throws SQLException;

  void delete(SortedSet<String> sha256s) throws SQLException;

  /// Owners whose uses are to be given back, which nobody else is giving back at the moment.
  List<String> gone(int most) throws SQLException;
}
