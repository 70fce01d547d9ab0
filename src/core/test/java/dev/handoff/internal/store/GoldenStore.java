package dev.handoff.internal.store;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Golden stores: SQL scripts with the tables and rows that an earlier version created.
public final class GoldenStore {

  public static final int PARTITIONS = 2;

  private static final Path GOLDEN =
      Path.of("src", "core", "test", "resources", "golden", "stores");

  private GoldenStore() {}

  /// Restores a golden store to the place where the test opens it.
  public static void restore(StoreKind kind, int version, StoreHome home) throws Exception {
    if (kind == StoreKind.FILE) {
      Files.createDirectories(home.directory());
    }
    var file = GOLDEN.resolve("v%d-%s.sql".formatted(version, kind.name().toLowerCase()));
    try (var connection = DriverManager.getConnection(home.jdbcUrl());
        var statement = connection.createStatement()) {
      for (var sql : Files.readString(file).split(";\n")) {
        statement.execute(sql);
      }
    }
  }

  /// Schema of a store as the database reports it: tables and indexes.
  public static List<String> schema(StoreKind kind, StoreHome home) throws SQLException {
    var tables =
        texts(
            home,
            kind == StoreKind.FILE
                ? "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name"
                : """
                SELECT concat_ws(' ', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
                         a.attnotnull, a.attstorage, a.attidentity, c.reloptions::text,
                         replace(pg_get_indexdef(c.oid), current_schema() || '.', ''))
                  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
                 WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'i')
                   AND a.attnum > 0 AND NOT a.attisdropped
                 ORDER BY c.relname, a.attname
                """);
    return tables.stream().map(GoldenStore::normal).toList();
  }

  /// Sorts a table's columns: a column that was added later is listed last, on the line of its
  /// predecessor.
  private static String normal(String sql) {
    var line = sql.replaceAll("\\s+", " ").replaceAll(" ([,)])", "$1").strip();
    if (!line.startsWith("CREATE TABLE")) {
      return line;
    }
    int open = line.indexOf('(');
    int close = line.lastIndexOf(')');
    var columns = line.substring(open + 1, close).strip().split(", ");
    Arrays.sort(columns);
    return line.substring(0, open + 1) + String.join(", ", columns) + line.substring(close);
  }

  public static List<String> texts(StoreHome home, String query) throws SQLException {
    var texts = new ArrayList<String>();
    try (var connection = DriverManager.getConnection(home.jdbcUrl());
        var statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      while (row.next()) {
        texts.add(row.getString(1));
      }
    }
    return texts;
  }
}
