package dev.handoff.internal.store.sqlite;

import dev.handoff.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Exclusive lock of a store's directory: SQLite's lock on an empty file.
///
/// `FileChannel.tryLock` is no alternative: on POSIX a process loses its locks on a file when it
/// closes any handle of it. A second, refused open in the same process would release the first
/// lock. SQLite counts its handles. A killed process leaves the file behind, without a lock.
final class SqliteLock implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(SqliteLock.class);

  /// The file stays empty, but SQLite would create a journal beside it.
  private static final List<String> SETTINGS =
      List.of("PRAGMA busy_timeout = 100", "PRAGMA journal_mode = MEMORY");

  private static final List<String> ALONE = List.of("BEGIN EXCLUSIVE");
  private static final List<String> WITH_OTHERS =
      List.of("BEGIN", "SELECT count(*) FROM sqlite_schema");

  private final SqliteFiles files;
  private final Connection connection;
  private final boolean alone;

  private SqliteLock(SqliteFiles files, Connection connection, boolean alone) {
    this.files = files;
    this.connection = connection;
    this.alone = alone;
  }

  /// Takes the lock exclusively, and writes down the owner.
  static SqliteLock own(SqliteFiles files, String owner) throws SQLException {
    try {
      var lock = new SqliteLock(files, take(files, "?mode=rwc", ALONE), true);
      lock.sign(owner);
      return lock;
    } catch (SQLException refused) {
      throw explain(files, owner, refused);
    }
  }

  /// Takes the lock shared with other readers.
  static SqliteLock read(SqliteFiles files) throws SQLException {
    try {
      return new SqliteLock(files, take(files, "?mode=ro", WITH_OTHERS), false);
    } catch (SQLException refused) {
      throw explain(files, "", refused);
    }
  }

  private static Connection take(SqliteFiles files, String mode, List<String> statements)
      throws SQLException {
    var connection = SqliteConnections.connect(files.lock(), mode);
    try {
      SqliteConnections.set(connection, SETTINGS);
      SqliteConnections.set(connection, statements);
      return connection;
    } catch (SQLException refused) {
      connection.close();
      throw refused;
    }
  }

  private static SQLException explain(SqliteFiles files, String self, SQLException refused) {
    if (refused.getErrorCode() != SqliteDialect.BUSY) {
      return refused;
    }
    String holder = readersOnly(files) ? "somebody who reads it" : signature(files);
    throw StoreException.Held.by(holder, self, files.directory());
  }

  private static boolean readersOnly(SqliteFiles files) {
    try {
      take(files, "?mode=ro", WITH_OTHERS).close();
      return true;
    } catch (SQLException owned) {
      return false;
    }
  }

  private void sign(String owner) {
    try {
      Files.writeString(files.owner(), owner + "\n");
    } catch (IOException unsigned) {
      log.warn("{} could not be written: {}", files.owner(), unsigned.toString());
    }
  }

  private static String signature(SqliteFiles files) {
    try {
      String owner = Files.readString(files.owner()).strip();
      return owner.isEmpty() ? "another process" : owner;
    } catch (IOException unsigned) {
      return "another process";
    }
  }

  @Override
  public void close() {
    try {
      if (alone && !connection.isClosed()) {
        Files.deleteIfExists(files.owner());
      }
      connection.close();
    } catch (IOException | SQLException harmless) {
      log.debug("giving up {}: {}", files.lock(), harmless.toString());
    }
  }
}
