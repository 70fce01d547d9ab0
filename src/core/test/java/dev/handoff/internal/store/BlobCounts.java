package dev.handoff.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.store.sqlite.SqliteInternals;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Independent check of blob use counts: a blob's count equals the number of plans that use it, and
/// its content is stored exactly if the count is positive.
public final class BlobCounts {

  private static final String COUNTED = "SELECT sha256, uses FROM handoff_blob";
  private static final String USED = "SELECT hashes FROM handoff_blob_use";
  private static final String INDEXED = "SELECT sha256, place FROM handoff_blob";
  private static final String NEW = "SELECT number, hashes FROM handoff_blob_new ORDER BY number";
  private static final String CONTENTS = "SELECT place FROM handoff_content";

  private BlobCounts() {}

  public static void check(StoreKind kind, StoreHome home) {
    if (kind == StoreKind.MEMORY) {
      return;
    }
    try (var connection = DriverManager.getConnection(home.jdbcUrl());
        var statement = connection.createStatement()) {
      Map<String, Long> counted = new TreeMap<>();
      try (var row = statement.executeQuery(COUNTED)) {
        while (row.next()) {
          counted.put(ContentHashes.hex(row.getBytes(1)), row.getLong(2));
        }
      }
      Map<String, Long> used = new TreeMap<>();
      try (var row = statement.executeQuery(USED)) {
        while (row.next()) {
          for (var sha256 : ContentHashes.first(Integer.MAX_VALUE, row.getBytes(1))) {
            used.merge(sha256, 1L, Long::sum);
          }
        }
      }
      if (kind == StoreKind.FILE) {
        var places = places(statement);
        places.keySet().forEach(sha256 -> counted.putIfAbsent(sha256, 1L));
        assertThat(contents(statement)).containsExactlyInAnyOrderElementsOf(places.values());
      }
      assertThat(counted).isEqualTo(used);
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }

  /// Places of all contents, indexed or not yet indexed.
  private static Map<String, Long> places(Statement statement) throws SQLException {
    Map<String, Long> places = new TreeMap<>();
    try (var row = statement.executeQuery(INDEXED)) {
      while (row.next()) {
        places.put(ContentHashes.hex(row.getBytes(1)), row.getLong(2));
      }
    }
    try (var row = statement.executeQuery(NEW)) {
      while (row.next()) {
        var hashes = ContentHashes.first(Integer.MAX_VALUE, row.getBytes(2));
        for (int at = 0; at < hashes.size(); at++) {
          places.putIfAbsent(hashes.get(at), SqliteInternals.place(row.getLong(1), at));
        }
      }
    }
    return places;
  }

  private static List<Long> contents(Statement statement) throws SQLException {
    var places = new ArrayList<Long>();
    try (var row = statement.executeQuery(CONTENTS)) {
      while (row.next()) {
        places.add(row.getLong(1));
      }
    }
    return places;
  }
}
