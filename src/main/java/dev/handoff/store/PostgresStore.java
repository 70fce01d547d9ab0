package dev.handoff.store;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/// Opens a store on a PostgreSQL server.
///
/// A few threads with a connection each write the batches, those of a partition always the same
/// one; one more writes what need not wait in line with them, and a few threads read from a pool.
final class PostgresStore {

  private static final int LOOKUPS = 2;
  private static final int SCANS = 2;

  /// How many chunks and slices share a transaction. Contents and retention have one each, so that
  /// each takes the rows that it shares with other engines once, in order.
  private static final int MOST_UPKEEP = 8;

  /// How many batches, of a partition each, share a statement.
  private static final int MOST_MERGED = 32;

  private static final String STARTING_UP = "57P03";

  /// No such user or a wrong password, no such database.
  private static final List<String> DENIED = List.of("28", "3D");

  /// No such schema, no right to make tables.
  private static final List<String> NOT_FOR_US = List.of("3F", "42501");

  private static final Duration RETRY = Duration.ofMillis(100);
  private static final int TAKE_ATTEMPTS = 5;

  /// @param version of the tables as they are now
  private record Found(StoreInfo info, int version) {}

  private final StoreSettings settings;
  private final StoreSettings.Postgres postgres;
  private final PostgresConnections connections;
  private final Dialect dialect = new PostgresDialect();
  private final String place;

  private PostgresStore(
      StoreSettings settings, StoreSettings.Postgres postgres, UnaryOperator<Connection> wrap) {
    this.settings = settings;
    this.postgres = postgres;
    this.connections = new PostgresConnections(postgres, settings.owner(), wrap);
    this.place = connections.place();
  }

  static Store open(
      StoreSettings settings, StoreSettings.Postgres postgres, UnaryOperator<Connection> wrap) {
    var store = new PostgresStore(settings, postgres, wrap);
    try {
      return store.open();
    } catch (SQLException failure) {
      throw store.explain(failure);
    }
  }

  private StoreException explain(SQLException failure) {
    String state = String.valueOf(failure.getSQLState());
    String what = "opening the store in " + place;
    if (DENIED.stream().anyMatch(state::startsWith)) {
      return new StoreException.Denied(what + ": " + failure.getMessage());
    }
    return NOT_FOR_US.stream().anyMatch(state::startsWith)
        ? new StoreException.Unfit(what + ": " + failure.getMessage())
        : dialect.trouble(failure).asException(what);
  }

  private Store open() throws SQLException {
    var lock = new PostgresLock(connect(), dialect, shared());
    try {
      if (!taken(lock)) {
        throw StoreException.Held.by(lock.holder().name(), settings.owner(), place);
      }
      Found found = settings.access() == StoreSettings.Access.READ ? look(lock) : prepare(lock);
      return laned(found, lock);
    } catch (Throwable failure) {
      lock.close();
      throw failure;
    }
  }

  private boolean shared() {
    return settings.access() != StoreSettings.Access.OWN;
  }

  /// Waits for a server that is starting up, but not for one that is not there.
  private Connection connect() throws SQLException {
    long begin = System.nanoTime();
    long patience = postgres.connectTimeout().toNanos();
    while (true) {
      try {
        return connections.open();
      } catch (SQLException failure) {
        if (!STARTING_UP.equals(failure.getSQLState()) || System.nanoTime() - begin > patience) {
          throw failure;
        }
        waitABit();
      }
    }
  }

  /// A process that was killed a moment ago holds the lock a moment longer.
  private boolean taken(PostgresLock lock) throws SQLException {
    for (int attempt = 0; attempt < TAKE_ATTEMPTS; attempt++) {
      if (lock.take()) {
        return true;
      }
      waitABit();
    }
    return false;
  }

  private static void waitABit() {
    new CompletableFuture<Void>()
        .completeOnTimeout(null, RETRY.toMillis(), TimeUnit.MILLISECONDS)
        .join();
  }

  private Found look(SqlSession session) throws SQLException {
    if (!made(session)) {
      throw new StoreException.Missing("there is no store in " + place);
    }
    var layout = Schema.check(session, settings.partitions(), place);
    return new Found(info(layout, false), layout.version());
  }

  /// Makes the tables if there are none, and checks them. In a cluster several engines come here at
  /// once.
  private Found prepare(PostgresLock lock) throws SQLException {
    lock.run(dialect.begin());
    lock.takeForTransaction();
    boolean fresh = !made(lock);
    if (fresh) {
      int partitions = Layout.fresh(settings.freshPartitions(), place);
      Schema.make(lock, PostgresTables.STATEMENTS, partitions);
    }
    var layout = Schema.check(lock, settings.partitions(), place);
    if (layout.version() < Layout.VERSION) {
      Schema.upgrade(lock, layout, PostgresTables.ADDITIONS);
    }
    if (settings.drops()) {
      layout = Schema.noteDrops(lock, layout);
    }
    lock.run("COMMIT");
    if (!shared()) {
      lock.sign(settings.owner());
    }
    return new Found(info(layout, fresh), Layout.VERSION);
  }

  private static boolean made(SqlSession session) throws SQLException {
    try (ResultSet row = session.query("SELECT to_regclass('handoff_meta') IS NOT NULL")) {
      row.next();
      return row.getBoolean(1);
    }
  }

  private StoreInfo info(Layout layout, boolean fresh) {
    return new StoreInfo("postgres", place, layout.partitions(), fresh, layout.mayHaveDropped());
  }

  private Store laned(Found found, PostgresLock lock) {
    var info = found.info();
    boolean writes = settings.access() != StoreSettings.Access.READ;
    int partitions = writes ? info.partitions() : 0;
    var pool = connections.pool(LOOKUPS + SCANS);
    var vacuum = new PostgresVacuum(Lane.start("vacuum", 1, vacuuming()));
    var upkeep = Lane.start("upkeep", 1, upkeep(vacuum, MOST_UPKEEP));
    var contents = Lane.start("contents", 1, upkeep(vacuum, 1));
    var lanes =
        IntStream.range(0, writers(partitions))
            .mapToObj(id -> Lane.start("writer-" + id, 1, writing(vacuum)))
            .toList();
    var writers =
        IntStream.range(0, partitions).mapToObj(id -> lanes.get(id % lanes.size())).toList();
    var hold =
        new PostgresHold(
            lock,
            () -> new PostgresLock(connections.open(), dialect, shared()),
            trouble -> {
              writers.forEach(lane -> lane.bar(trouble));
              upkeep.bar(trouble);
              contents.bar(trouble);
            });
    hold.start();
    return new LanedStore(
        info,
        new LanedStore.Lanes(
            writers,
            Collections.nCopies(partitions, upkeep),
            Collections.nCopies(partitions, contents),
            Lane.start("lookups", LOOKUPS, reading(pool, found.version())),
            Lane.start("scans", SCANS, reading(pool, found.version()))),
        () -> {
          upkeep.close();
          contents.close();
          vacuum.close();
          pool.close();
          hold.close();
        });
  }

  /// Fewer write larger batches, and each of them keeps one process of the server busy.
  private static int writers(int partitions) {
    return Math.min(partitions, Math.max(1, Runtime.getRuntime().availableProcessors() / 2));
  }

  private Lane.Bench<PostgresWrites> writing(PostgresVacuum vacuum) {
    return new Lane.Bench<>(
        () -> new PostgresWrites(connections.writer(), dialect, vacuum),
        dialect::trouble,
        new Merging(),
        MOST_MERGED,
        true);
  }

  private Lane.Bench<PostgresWrites> upkeep(PostgresVacuum vacuum, int most) {
    return new Lane.Bench<>(
        () -> new PostgresWrites(connections.open(), dialect, vacuum),
        dialect::trouble,
        new Together<>(),
        most,
        true);
  }

  private Lane.Bench<SqlSession> vacuuming() {
    return Lane.Bench.single(
        () -> new SqlSession(connections.vacuum(), dialect), dialect::trouble, false);
  }

  private Lane.Bench<SqlReads> reading(HikariDataSource pool, int version) {
    Lane.Opener<SqlReads> opener = () -> new SqlReads(connections.from(pool), dialect, version);
    return Lane.Bench.single(opener, dialect::trouble, false);
  }
}
