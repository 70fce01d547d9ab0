package dev.handoff.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;

/// Counts from the side who uses what, and compares: a content has as many uses as there are
/// keepings that name it, and is there if there is one.
final class BlobCounts {

  private static final String COUNTED = "SELECT sha256, uses FROM handoff_blob";
  private static final String USED = "SELECT hashes FROM handoff_blob_use";
  private static final String WITHOUT_EACH_OTHER =
      """
      SELECT (SELECT count(*) FROM handoff_blob
               WHERE place NOT IN (SELECT place FROM handoff_content))
           + (SELECT count(*) FROM handoff_content
               WHERE place NOT IN (SELECT place FROM handoff_blob))
      """;

  private BlobCounts() {}

  static void check(StoreKind kind, StoreHome home) {
    if (kind == StoreKind.MEMORY) {
      return;
    }
    try (var connection = DriverManager.getConnection(home.jdbcUrl());
        var statement = connection.createStatement()) {
      Map<String, Long> counted = new TreeMap<>();
      try (var row = statement.executeQuery(COUNTED)) {
        while (row.next()) {
          counted.put(Hashes.hex(row.getBytes(1)), row.getLong(2));
        }
      }
      Map<String, Long> used = new TreeMap<>();
      try (var row = statement.executeQuery(USED)) {
        while (row.next()) {
          for (var sha256 : Hashes.first(Integer.MAX_VALUE, row.getBytes(1))) {
            used.merge(sha256, 1L, Long::sum);
          }
        }
      }
      assertThat(counted).isEqualTo(used);
      if (kind == StoreKind.FILE) {
        try (var row = statement.executeQuery(WITHOUT_EACH_OTHER)) {
          row.next();
          assertThat(row.getLong(1)).isZero();
        }
      }
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }
}
