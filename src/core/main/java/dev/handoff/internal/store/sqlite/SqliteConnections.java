package dev.handoff.internal.store.sqlite;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.UnaryOperator;

/// Opener of database connections with their settings.
///
/// @param wrap wrapper around connections, for tests
record SqliteConnections(SqliteFiles files, UnaryOperator<Connection> wrap) {

  /// No memory map: with one, a failing disk kills the process instead of returning an error.
  private static final List<String> EVERY =
      List.of(
          "PRAGMA mmap_size = 0",
          "PRAGMA temp_store = MEMORY",
          "PRAGMA cell_size_check = ON",
          "PRAGMA trusted_schema = OFF",
          "PRAGMA busy_timeout = 5000");

  /// Settings of the writer. WAL checkpoints run every 2,000 pages (16 MiB). Measured: 4 MiB is
  /// slower; 64 MiB is no faster, with longer pauses. The page size affects new databases only; 8
  /// KiB wrote a fifth faster than 4. On macOS only a full sync empties the disk's cache; elsewhere
  /// these two settings have no effect.
  private static final List<String> WRITER =
      List.of(
          "PRAGMA page_size = 8192",
          "PRAGMA journal_mode = WAL",
          "PRAGMA synchronous = FULL",
          "PRAGMA fullfsync = ON",
          "PRAGMA checkpoint_fullfsync = ON",
          "PRAGMA wal_autocheckpoint = 2000",
          "PRAGMA journal_size_limit = 67108864",
          "PRAGMA cache_size = -65536");

  private static final List<String> READER =
      List.of("PRAGMA query_only = ON", "PRAGMA cache_size = -16384");

  /// Connection to a database under construction.
  Connection maker() throws SQLException {
    return open(files.fresh(), "?mode=rwc", WRITER);
  }

  Connection writer() throws SQLException {
    return open(files.database(), "?mode=rw", WRITER);
  }

  Connection reader() throws SQLException {
    return open(files.database(), "?mode=rw", READER);
  }

  /// Connection that changes no file. One exception: for a write-ahead log without its index,
  /// SQLite has to create the index.
  Connection onlooker() throws SQLException {
    return open(files.database(), onlookerMode(), READER);
  }

  private String onlookerMode() {
    if (!Files.exists(files.log()) || files.log().toFile().length() == 0) {
      return "?mode=ro&immutable=1";
    }
    return Files.exists(files.logIndex()) ? "?mode=ro&readonly_shm=1" : "?mode=ro";
  }

  private Connection open(Path file, String mode, List<String> settings) throws SQLException {
    var connection = wrap.apply(connect(file, mode));
    try {
      set(connection, EVERY);
      set(connection, settings);
      return connection;
    } catch (SQLException failure) {
      connection.close();
      throw failure;
    }
  }

  /// URI form, because directory names may contain any character.
  static Connection connect(Path file, String mode) throws SQLException {
    return DriverManager.getConnection("jdbc:sqlite:" + file.toUri() + mode);
  }

  static void set(Connection connection, List<String> settings) throws SQLException {
    for (String setting : settings) {
      try (Statement statement = connection.createStatement()) {
        statement.execute(setting);
      }
    }
  }
}
