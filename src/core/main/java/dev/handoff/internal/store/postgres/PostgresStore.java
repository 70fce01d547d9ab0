package dev.handoff.internal.store.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.handoff.StoreException;
import dev.handoff.StoreInfo;
import dev.handoff.StoreSettings;
import dev.handoff.internal.ask.ThreadPause;
import dev.handoff.internal.store.QueuedStore;
import dev.handoff.internal.store.SharedTransaction;
import dev.handoff.internal.store.SqlDialect;
import dev.handoff.internal.store.SqlReads;
import dev.handoff.internal.store.SqlSchema;
import dev.handoff.internal.store.SqlSession;
import dev.handoff.internal.store.Store;
import dev.handoff.internal.store.StoreExecutor;
import dev.handoff.internal.store.StoreLayout;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/// Opener of a store on a PostgreSQL server.
///
/// A few threads with one connection each write the batches; each partition always uses the same
/// thread. One more thread writes all that need not queue with batches, and a few threads read
/// through a pool.
public final class PostgresStore {

  private static final int LOOKUPS = 2;
  private static final int SCANS = 2;

  /// Most chunks and trims per transaction. Contents and retention run one task per transaction, so
  /// each locks the rows shared with other engines once, in order.
  private static final int MOST_UPKEEP = 8;

  /// Most batches per merged statement, one per partition.
  private static final int MOST_MERGED = 32;

  private static final String STARTING_UP = "57P03";

  /// SQLSTATE classes: invalid user or password, missing database.
  private static final List<String> DENIED = List.of("28", "3D");

  /// SQLSTATE codes: missing schema, no permission to create tables.
  private static final List<String> NOT_FOR_US = List.of("3F", "42501");

  private static final Duration RETRY = Duration.ofMillis(100);
  private static final int TAKE_ATTEMPTS = 5;

  /// @param version present version of the tables
  private record Found(StoreInfo info, int version) {}

  private final StoreSettings settings;
  private final StoreSettings.Postgres postgres;
  private final PostgresConnections connections;
  private final SqlDialect dialect = new PostgresDialect();
  private final String place;

  private PostgresStore(
      StoreSettings settings, StoreSettings.Postgres postgres, UnaryOperator<Connection> wrap) {
    this.settings = settings;
    this.postgres = postgres;
    this.connections = new PostgresConnections(postgres, settings.owner(), wrap);
    this.place = connections.place();
  }

  public static Store open(
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

  /// Connects; retries while the server starts up, but not if the server is missing.
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

  /// Takes the lock, with retries: a process killed a moment ago still holds it briefly.
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
    ThreadPause.awaitAll(RETRY);
  }

  private Found look(SqlSession session) throws SQLException {
    if (!made(session)) {
      throw new StoreException.Missing("there is no store in " + place);
    }
    var layout = SqlSchema.check(session, settings.partitions(), place);
    return new Found(info(layout, false), layout.version());
  }

  /// Creates the tables if they are missing, and checks them. Several engines of a cluster may do
  /// this concurrently.
  private Found prepare(PostgresLock lock) throws SQLException {
    lock.run(dialect.begin());
    lock.takeForTransaction();
    boolean fresh = !made(lock);
    if (fresh) {
      int partitions = StoreLayout.fresh(settings, place);
      SqlSchema.make(lock, PostgresTables.STATEMENTS, partitions);
    }
    var layout = SqlSchema.check(lock, settings.partitions(), place);
    if (layout.version() < StoreLayout.VERSION) {
      SqlSchema.upgrade(lock, layout, PostgresTables.ADDITIONS);
    }
    if (settings.drops()) {
      layout = SqlSchema.noteDrops(lock, layout);
    }
    lock.run("COMMIT");
    if (!shared()) {
      lock.sign(settings.owner());
    }
    return new Found(info(layout, fresh), StoreLayout.VERSION);
  }

  private static boolean made(SqlSession session) throws SQLException {
    try (ResultSet row = session.query("SELECT to_regclass('handoff_meta') IS NOT NULL")) {
      row.next();
      return row.getBoolean(1);
    }
  }

  private StoreInfo info(StoreLayout layout, boolean fresh) {
    return new StoreInfo("postgres", place, layout.partitions(), fresh, layout.mayHaveDropped());
  }

  private Store laned(Found found, PostgresLock lock) {
    var info = found.info();
    boolean writes = settings.access() != StoreSettings.Access.READ;
    int partitions = writes ? info.partitions() : 0;
    var pool = connections.pool(LOOKUPS + SCANS);
    var vacuum = new PostgresVacuum(StoreExecutor.start("vacuum", 1, vacuuming()));
    var upkeep = StoreExecutor.start("upkeep", 1, upkeep(vacuum, MOST_UPKEEP));
    var contents = StoreExecutor.start("contents", 1, upkeep(vacuum, 1));
    var executors =
        IntStream.range(0, writers(partitions))
            .mapToObj(id -> StoreExecutor.start("writer-" + id, 1, writing(vacuum)))
            .toList();
    var writers =
        IntStream.range(0, partitions)
            .mapToObj(id -> executors.get(id % executors.size()))
            .toList();
    var hold =
        new PostgresHold(
            lock,
            () -> new PostgresLock(connections.open(), dialect, shared()),
            trouble -> {
              writers.forEach(executor -> executor.bar(trouble));
              upkeep.bar(trouble);
              contents.bar(trouble);
            });
    hold.start();
    return new QueuedStore(
        info,
        new QueuedStore.Executors(
            writers,
            Collections.nCopies(partitions, upkeep),
            Collections.nCopies(partitions, contents),
            StoreExecutor.start("lookups", LOOKUPS, reading(pool, found.version())),
            StoreExecutor.start("scans", SCANS, reading(pool, found.version()))),
        () -> {
          upkeep.close();
          contents.close();
          vacuum.close();
          pool.close();
          hold.close();
        });
  }

  /// Number of writer threads. Fewer writers write larger batches, and each keeps one server
  /// process busy.
  private static int writers(int partitions) {
    return Math.min(partitions, Math.max(1, Runtime.getRuntime().availableProcessors() / 2));
  }

  private StoreExecutor.Bench<PostgresWrites> writing(PostgresVacuum vacuum) {
    return new StoreExecutor.Bench<>(
        () -> new PostgresWrites(connections.writer(), dialect, vacuum),
        dialect::trouble,
        new MergedStatement(),
        MOST_MERGED,
        true);
  }

  private StoreExecutor.Bench<PostgresWrites> upkeep(PostgresVacuum vacuum, int most) {
    return new StoreExecutor.Bench<>(
        () -> new PostgresWrites(connections.open(), dialect, vacuum),
        dialect::trouble,
        new SharedTransaction<>(),
        most,
        true);
  }

  private StoreExecutor.Bench<SqlSession> vacuuming() {
    return StoreExecutor.Bench.single(
        () -> new SqlSession(connections.vacuum(), dialect), dialect::trouble, false);
  }

  private StoreExecutor.Bench<SqlReads> reading(HikariDataSource pool, int version) {
    StoreExecutor.Opener<SqlReads> opener =
        () -> new SqlReads(connections.from(pool), dialect, version);
    return StoreExecutor.Bench.single(opener, dialect::trouble, false);
  }
}
