package dev.handoff.store;

import java.nio.file.Files;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;

/// Opens the file store: a directory with a database, and a lock that keeps everybody else out.
///
/// One thread writes for all partitions: what waits shares a transaction, and so one sync of the
/// disk. Two threads read, one for what somebody waits for and one for what may take its time.
final class SqliteStore {

  /// More batches than partitions never wait; chunks, blobs and slices of retention wait with them.
  private static final int MOST_TOGETHER = 64;

  /// How large a file is looked through when it is opened.
  private static final long MOST_CHECKED = 256L << 20;

  private static final String MADE =
      "SELECT count(*) FROM sqlite_schema WHERE name = 'handoff_meta'";

  private static final String OF_NO_KIND =
      "SELECT count(*) FROM handoff_history WHERE kind NOT IN ('job', 'plan')";

  private final SqliteFiles files;
  private final SqliteConnections connections;
  private final Dialect dialect = new SqliteDialect();
  private final String place;

  private SqliteStore(SqliteFiles files, UnaryOperator<Connection> wrap) {
    this.files = files;
    this.connections = new SqliteConnections(files, wrap);
    this.place = files.directory().toString();
  }

  static Store open(
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
      return laned(info, writers, reading(connections::reader, Layout.VERSION), lock::close);
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
    // A copy of a store may come without the lock file; then nobody owns it.
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
      make(Layout.fresh(settings.freshPartitions(), place));
    }
    try (var session = new SqlSession(connections.writer(), dialect)) {
      var layout = check(session, settings.partitions());
      session.run(dialect.begin());
      if (layout.version() < Layout.VERSION) {
        Schema.upgrade(session, layout, SqliteTables.ADDITIONS);
      }
      if (settings.drops()) {
        layout = Schema.noteDrops(session, layout);
      }
      session.run("COMMIT");
      return info(layout, fresh);
    }
  }

  private StoreInfo info(Layout layout, boolean fresh) {
    return new StoreInfo("file", place, layout.partitions(), fresh, layout.mayHaveDropped());
  }

  /// Makes the database under another name first: one that is there and empty is damaged, never
  /// new.
  private void make(int partitions) throws SQLException {
    files.prepareNew();
    try (var session = new SqlSession(connections.maker(), dialect)) {
      session.run(dialect.begin());
      Schema.make(session, SqliteTables.STATEMENTS, partitions);
      session.run("COMMIT");
    }
    files.putNewInPlace();
  }

  private Layout check(SqlSession session, int partitions) throws SQLException {
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
    var layout = Schema.check(session, partitions, place);
    if (small) {
      checkKinds(session);
    }
    return layout;
  }

  /// A page whose own head is damaged may hide rows without a word, and so may an entry of an
  /// index. Looking at all of them takes as long as reading the file twice, so that is done for
  /// those that are not too large.
  private void checkPages(SqlSession session) throws SQLException {
    try (ResultSet row = session.query("PRAGMA integrity_check(1)")) {
      row.next();
      refuseUnless(row.getString(1).equals("ok"), row.getString(1).strip());
    }
  }

  /// Every list asks for the kind of a row.
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

  private Lane<SqliteWrites> writing() {
    return Lane.start(
        "writer",
        1,
        new Lane.Bench<>(
            () -> new SqliteWrites(connections.writer(), dialect),
            dialect::trouble,
            new Together<>(),
            MOST_TOGETHER,
            true));
  }

  private Store laned(
      StoreInfo info,
      List<Lane<SqliteWrites>> writers,
      Lane.Bench<SqlReads> readers,
      Runnable release) {
    return new LanedStore(
        info,
        new LanedStore.Lanes(
            writers,
            writers,
            writers,
            Lane.start("lookups", 1, readers),
            Lane.start("scans", 1, readers)),
        release);
  }

  private Lane.Bench<SqlReads> reading(Lane.Opener<Connection> opener, int version) {
    return Lane.Bench.single(
        () -> new SqlReads(opener.open(), dialect, version), dialect::trouble, true);
  }
}
