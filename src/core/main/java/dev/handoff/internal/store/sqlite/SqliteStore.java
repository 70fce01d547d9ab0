package dev.handoff.internal.store.sqlite;

import dev.handoff.StoreException;
import dev.handoff.StoreInfo;
import dev.handoff.StoreSettings;
import dev.handoff.internal.store.QueuedStore;
import dev.handoff.internal.store.SharedTransaction;
import dev.handoff.internal.store.SqlDialect;
import dev.handoff.internal.store.SqlReads;
import dev.handoff.internal.store.SqlSchema;
import dev.handoff.internal.store.SqlSession;
import dev.handoff.internal.store.Store;
import dev.handoff.internal.store.StoreExecutor;
import dev.handoff.internal.store.StoreLayout;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;

/// Opener of the file store: a directory with a database and an exclusive lock.
///
/// One thread writes for all partitions: waiting tasks share a transaction, hence one disk sync.
/// Two threads read: one for lookups that callers wait for, one for slow scans.
public final class SqliteStore {

  /// Most tasks per transaction. At most one batch per partition waits; chunks, blobs and slices of
  /// retention wait with them.
  private static final int MOST_TOGETHER = 64;

  /// Largest file that is checked completely at start.
  private static final long MOST_CHECKED = 256L << 20;

  private static final String MADE =
      "SELECT count(*) FROM sqlite_schema WHERE name = 'handoff_meta'";

  private static final String OF_NO_KIND =
      "SELECT count(*) FROM handoff_history WHERE kind NOT IN ('job', 'plan')";

  private final SqliteFiles files;
  private final SqliteConnections connections;
  private final SqlDialect dialect = new SqliteDialect();
  private final String place;

  private SqliteStore(SqliteFiles files, UnaryOperator<Connection> wrap) {
    this.files = files;
    this.connections = new SqliteConnections(files, wrap);
    this.place = files.directory().toString();
  }

  public static Store open(
      StoreSettings settings, StoreSettings.File file, UnaryOperator<Connection> wrap) {
    var store = new SqliteStore(new SqliteFiles(file.directory()), wrap);
    try {
      return switch (settings.access()) {
        case OWN -> store.own(settings);
        case READ -> store.read(settings.partitions());
        case SHARE ->
            throw new StoreException.Unfit(
                "a store in a directory belongs to one process: a cluster needs PostgreSQL");
      };
    } catch (SQLException failure) {
      throw store.dialect.trouble(failure).asException("opening the store in " + store.place);
    }
  }

  private Store own(StoreSettings settings) throws SQLException {
    files.makeDirectory();
    var lock = SqliteLock.own(files, settings.owner());
    try {
      StoreInfo info = prepare(settings);
      var writers = Collections.nCopies(info.partitions(), writing());
      return laned(info, writers, reading(connections::reader, StoreLayout.VERSION), lock::close);
    } catch (Throwable failure) {
      lock.close();
      throw failure;
    }
  }

  private Store read(int partitions) throws SQLException {
    if (!files.exists()) {
      throw new StoreException.Missing(
          "there is no store in %s: handoff.db is missing".formatted(place));
    }
    // A copied store may lack the lock file; then it has no owner.
    Runnable release = Files.exists(files.lock()) ? SqliteLock.read(files)::close : () -> {};
    try (var session = new SqlSession(connections.onlooker(), dialect)) {
      var layout = check(session, partitions);
      var info = info(layout, false);
      return laned(info, List.of(), reading(connections::onlooker, layout.version()), release);
    } catch (Throwable failure) {
      release.run();
      throw failure;
    }
  }

  private StoreInfo prepare(StoreSettings settings) throws SQLException {
    boolean fresh = !files.exists();
    if (fresh) {
      make(StoreLayout.fresh(settings, place));
    }
    try (var session = new SqlSession(connections.writer(), dialect)) {
      var layout = check(session, settings.partitions());
      session.run(dialect.begin());
      if (layout.version() < StoreLayout.VERSION) {
        SqlSchema.upgrade(session, layout, SqliteTables.ADDITIONS);
      }
      if (settings.drops()) {
        layout = SqlSchema.noteDrops(session, layout);
      }
      session.run("COMMIT");
      return info(layout, fresh);
    }
  }

  private StoreInfo info(StoreLayout layout, boolean fresh) {
    return new StoreInfo("file", place, layout.partitions(), fresh, layout.mayHaveDropped());
  }

  /// Creates the database under a temporary name. An existing empty database is therefore damaged,
  /// never new.
  private void make(int partitions) throws SQLException {
    files.prepareNew();
    try (var session = new SqlSession(connections.maker(), dialect)) {
      session.run(dialect.begin());
      SqlSchema.make(session, SqliteTables.STATEMENTS, partitions);
      session.run("COMMIT");
    }
    files.putNewInPlace();
  }

  private StoreLayout check(SqlSession session, int partitions) throws SQLException {
    try (ResultSet row = session.query(MADE)) {
      row.next();
      if (row.getInt(1) == 0) {
        throw new StoreException.Unreadable(
            "%s is there, but holds no store: it was cut off, or belongs to something else"
                .formatted(files.database()),
            null);
      }
    }
    boolean small = files.database().toFile().length() <= MOST_CHECKED;
    if (small) {
      checkPages(session);
    }
    var layout = SqlSchema.check(session, partitions, place);
    if (small) {
      checkKinds(session);
    }
    return layout;
  }

  /// Checks the integrity of all pages. A damaged page header or index entry may hide rows
  /// silently. The check takes as long as two reads of the file, so large files are not checked.
  private void checkPages(SqlSession session) throws SQLException {
    try (ResultSet row = session.query("PRAGMA integrity_check(1)")) {
      row.next();
      refuseUnless(row.getString(1).equals("ok"), row.getString(1).strip());
    }
  }

  /// Checks the kind of history rows, which every list filters by.
  private void checkKinds(SqlSession session) throws SQLException {
    try (ResultSet row = session.query(OF_NO_KIND)) {
      row.next();
      refuseUnless(row.getLong(1) == 0, "rows of history are neither of a job nor of a plan");
    }
  }

  private void refuseUnless(boolean fine, String found) {
    if (!fine) {
      throw new StoreException.Unreadable(
          "%s is damaged: %s".formatted(files.database(), found), null);
    }
  }

  private StoreExecutor<SqliteWrites> writing() {
    return StoreExecutor.start(
        "writer",
        1,
        new StoreExecutor.Bench<>(
            () -> new SqliteWrites(connections.writer(), dialect),
            dialect::trouble,
            new SharedTransaction<>(),
            MOST_TOGETHER,
            true));
  }

  private Store laned(
      StoreInfo info,
      List<StoreExecutor<SqliteWrites>> writers,
      StoreExecutor.Bench<SqlReads> readers,
      Runnable release) {
    return new QueuedStore(
        info,
        new QueuedStore.Executors(
            writers,
            writers,
            writers,
            StoreExecutor.start("lookups", 1, readers),
            StoreExecutor.start("scans", 1, readers)),
        release);
  }

  private StoreExecutor.Bench<SqlReads> reading(
      StoreExecutor.Opener<Connection> opener, int version) {
    return StoreExecutor.Bench.single(
        () -> new SqlReads(opener.open(), dialect, version), dialect::trouble, true);
  }
}
