package dev.handoff.store;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.UnaryOperator;

/// Opens connections to a store's database, each with its settings.
///
/// @param wrap what tests put around a connection
record SqliteConnections(SqliteFiles files, UnaryOperator<Connection> wrap) {

  /// No memory map: with one, a failing disk is not an error that can be answered but the end of
  /// the process.
  private static final List<String> EVERY =
      List.of(
          "PRAGMA mmap_size = 0",
          "PRAGMA temp_store = MEMORY",
          "PRAGMA cell_size_check = ON",
          "PRAGMA trusted_schema = OFF",
          "PRAGMA busy_timeout = 5000");

  /// The log is folded into the database after 2,000 pages (16 MiB), by the writer. Measured: with
  /// 4 MiB it is slower, with 64 MiB no faster, and then the pauses are longer. The page size
  /// counts for a new database only; 8 KiB wrote a fifth faster than 4. On macOS a sync leaves data
  /// in the cache of the disk unless it is a full one; elsewhere those two settings do nothing.
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

  /// For the database that is being made.
  Connection maker() throws SQLException {
    return open(files.fresh(), "?mode=rwc", WRITER);
  }

  Connection writer() throws SQLException {
    return open(files.database(), "?mode=rw", WRITER);
  }

  Connection reader() throws SQLException {
    return open(files.database(), "?mode=rw", READER);
  }

  /// A connection that leaves every file as it is. A log without its index is the one case where a
  /// file is made: the index, which SQLite cannot do without.
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

  /// As a URI, because anything may be in the name of a directory.
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
