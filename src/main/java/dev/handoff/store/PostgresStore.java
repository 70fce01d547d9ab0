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
/// Each partition has a thread and a connection that write its batches, one more of each writes
/// what need not wait in line with them, and a few threads read from a pool.
final class PostgresStore {

  private static final int LOOKUPS = 2;
  private static final int SCANS = 2;

  /// How many chunks, slices and blobs share a transaction.
  private static final int MOST_UPKEEP = 8;

  private static final String STARTING_UP = "57P03";

  /// No such user or a wrong password, no such database or schema, no right to make tables.
  private static final List<String> NOT_FOR_US = List.of("28", "3D", "3F", "42501");

  private static final Duration RETRY = Duration.ofMillis(100);
  private static final int TAKE_ATTEMPTS = 5;

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
    boolean refused = NOT_FOR_US.stream().anyMatch(state::startsWith);
    return refused
        ? new StoreException.Unfit(what + ": " + failure.getMessage())
        : dialect.trouble(failure).asException(what);
  }

  private Store open() throws SQLException {
    var lock = new PostgresLock(connect(), dialect, shared());
    try {
      if (!taken(lock)) {
        throw new StoreException.Held(
            "the store in %s is held by %s: stop that process first, or ask it instead"
                .formatted(place, lock.holder().name()));
      }
      StoreInfo info = settings.access() == StoreSettings.Access.READ ? look(lock) : prepare(lock);
      return laned(info, lock);
    } catch (SQLException | RuntimeException failure) {
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
    var later = CompletableFuture.delayedExecutor(RETRY.toMillis(), TimeUnit.MILLISECONDS);
    CompletableFuture.runAsync(() -> {}, later).join();
  }

  private StoreInfo look(SqlSession session) throws SQLException {
    if (!made(session)) {
      throw new StoreException.Unfit("there is no store in " + place);
    }
    return info(session, false);
  }

  /// Makes the tables if there are none, and checks them. In a cluster several engines come here at
  /// once.
  private StoreInfo prepare(PostgresLock lock) throws SQLException {
    lock.run(dialect.begin());
    lock.takeForTransaction();
    boolean fresh = !made(lock);
    if (fresh) {
      Schema.make(lock, PostgresTables.STATEMENTS, Layout.fresh(settings.partitions(), place));
    }
    lock.run("COMMIT");
    StoreInfo info = info(lock, fresh);
    if (!shared()) {
      lock.sign(settings.owner());
    }
    return info;
  }

  private static boolean made(SqlSession session) throws SQLException {
    try (ResultSet row = session.query("SELECT to_regclass('handoff_meta') IS NOT NULL")) {
      row.next();
      return row.getBoolean(1);
    }
  }

  private StoreInfo info(SqlSession session, boolean fresh) throws SQLException {
    int partitions = Schema.check(session, settings.partitions(), place);
    return new StoreInfo("postgres", place, partitions, fresh);
  }

  private Store laned(StoreInfo info, PostgresLock lock) {
    boolean writes = settings.access() != StoreSettings.Access.READ;
    int partitions = writes ? info.partitions() : 0;
    var pool = connections.pool(LOOKUPS + SCANS);
    var vacuum = new PostgresVacuum(Lane.start("vacuum", 1, vacuuming()));
    var upkeep = Lane.start("upkeep", 1, upkeep(vacuum));
    var writers =
        IntStream.range(0, partitions)
            .mapToObj(id -> Lane.start("writer-" + id, 1, writing(vacuum)))
            .toList();
    var hold =
        new PostgresHold(
            lock,
            () -> new PostgresLock(connections.open(), dialect, shared()),
            trouble -> {
              writers.forEach(lane -> lane.bar(trouble));
              upkeep.bar(trouble);
            });
    hold.start();
    return new LanedStore(
        info,
        new LanedStore.Lanes(
            writers,
            Collections.nCopies(partitions, upkeep),
            reading("lookups", LOOKUPS, pool),
            reading("scans", SCANS, pool)),
        () -> {
          upkeep.close();
          vacuum.close();
          pool.close();
          hold.close();
        });
  }

  private Lane.Bench<PostgresWrites> writing(PostgresVacuum vacuum) {
    return Lane.Bench.single(
        () -> new PostgresWrites(connections.writer(), dialect, vacuum), dialect::trouble, true);
  }

  private Lane.Bench<PostgresWrites> upkeep(PostgresVacuum vacuum) {
    return new Lane.Bench<>(
        () -> new PostgresWrites(connections.open(), dialect, vacuum),
        dialect::trouble,
        new Together<>(),
        MOST_UPKEEP,
        true);
  }

  private Lane.Bench<SqlSession> vacuuming() {
    return Lane.Bench.single(
        () -> new SqlSession(connections.patient(), dialect), dialect::trouble, false);
  }

  private Lane<SqlReads> reading(String name, int width, HikariDataSource pool) {
    Lane.Opener<SqlReads> opener = () -> new SqlReads(connections.from(pool), dialect);
    return Lane.start(name, width, Lane.Bench.single(opener, dialect::trouble, false));
  }
}
