package dev.handoff.internal.store.postgres;

import static dev.handoff.internal.store.HistoryRows.bytes;
import static dev.handoff.internal.store.HistoryRows.id;
import static dev.handoff.internal.store.HistoryRows.keyed;
import static dev.handoff.internal.store.HistoryRows.row;
import static dev.handoff.internal.store.StageWait.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.StoreSettings;
import dev.handoff.internal.store.FaultyDatabase;
import dev.handoff.internal.store.FaultyDatabase.Moment;
import dev.handoff.internal.store.HistoryRow;
import dev.handoff.internal.store.HistoryRows;
import dev.handoff.internal.store.KeptKey;
import dev.handoff.internal.store.PartitionOwner;
import dev.handoff.internal.store.PartitionOwnership;
import dev.handoff.internal.store.RandomWriter;
import dev.handoff.internal.store.SqlDialect;
import dev.handoff.internal.store.SqlSession;
import dev.handoff.internal.store.StageWait;
import dev.handoff.internal.store.Store;
import dev.handoff.internal.store.StoreBatch;
import dev.handoff.internal.store.StoreExecutor;
import dev.handoff.internal.store.StoreHome;
import dev.handoff.internal.store.StoreKind;
import dev.handoff.internal.store.StoreReading;
import dev.handoff.internal.store.StoreTask;
import dev.handoff.internal.store.WriteBatch;
import dev.handoff.internal.store.WriteResult;
import dev.handoff.internal.store.WriteResult.Fenced;
import dev.handoff.internal.store.WriteResult.Refused;
import dev.handoff.internal.store.WriteResult.Written;
import dev.handoff.testing.RandomSeeds;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A single executor, on every machine: tasks that wait behind a blocked task are taken together.
@DisplayName("Batches of several partitions that wait for PostgreSQL")
class PostgresMergingTest {

  private static final int PARTITIONS = 6;

  private final StoreHome home = new StoreHome(StoreKind.POSTGRES);
  private final FaultyDatabase database = new FaultyDatabase();
  private final SqlDialect dialect = new PostgresDialect();
  private final List<PartitionOwner> owners = new ArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private Store store;
  private PostgresVacuum vacuum;
  private StoreExecutor<PostgresWrites> executor;

  @BeforeEach
  void open() {
    store = home.open(PARTITIONS, StoreSettings.Access.OWN);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      owners.add(PartitionOwner.of(store, partition));
    }
    vacuum =
        new PostgresVacuum(
            StoreExecutor.start(
                "vacuum",
                1,
                StoreExecutor.Bench.single(
                    () -> new SqlSession(connect(), dialect), dialect::trouble, false)));
    executor =
        StoreExecutor.start(
            "writer",
            1,
            new StoreExecutor.Bench<>(
                () -> new PostgresWrites(database.apply(connect()), dialect, vacuum),
                dialect::trouble,
                new MergedStatement(),
                32,
                true));
  }

  @AfterEach
  void close() {
    threads.shutdownNow();
    executor.close();
    vacuum.close();
    home.close();
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(home.jdbcUrl());
  }

  private static StoreTask<PostgresWrites, WriteResult> writing(StoreBatch batch) {
    return new StoreTask<>(
        "writing", new WriteBatch(batch), trouble -> trouble.asResult("writing"));
  }

  private static StoreTask<PostgresWrites, PartitionOwnership> takingOver(int partition) {
    return new StoreTask<>(
        "taking over",
        session -> session.takeOver(partition, "somebody"),
        trouble -> {
          throw trouble.asException("taking over");
        });
  }

  @Test
  void keepsTheKeysOfEachPartition() {
    var keeping = new ArrayList<StoreBatch>();
    for (int partition = 0; partition < 3; partition++) {
      var owner = PartitionOwner.of(store, partition);
      var kept =
          new KeptKey("key " + partition, HistoryRows.id(partition), "print", HistoryRows.FINISHED);
      keeping.add(
          new StoreBatch(
              partition,
              owner.incarnation(),
              1,
              HistoryRows.bytes("facts"),
              partition == 1 ? List.of() : List.of(HistoryRows.row(10 + partition)),
              List.of(),
              partition == 2 ? List.of() : List.of(kept)));
    }

    assertThat(write(keeping.toArray(StoreBatch[]::new))).containsOnly(new WriteResult.Written(1));

    assertThat(StageWait.get(store.findKeys(List.of("key 0", "key 1", "key 2"))))
        .containsOnlyKeys("key 0", "key 1");
    assertThat(StageWait.get(store.historyCounts())).containsEntry("succeeded", 2L);
  }

  /// Submits tasks while the executor is blocked, so that it takes them together.
  private <T> List<CompletableFuture<T>> together(List<StoreTask<PostgresWrites, T>> tasks) {
    var go = hold();
    var answers = tasks.stream().map(executor::submit).toList();
    go.countDown();
    return answers;
  }

  private List<WriteResult> write(StoreBatch... batches) {
    var tasks = Stream.of(batches).map(PostgresMergingTest::writing).toList();
    return together(tasks).stream().map(StageWait::get).toList();
  }

  private static SQLException hangUp(Connection connection) throws SQLException {
    connection.close();
    return new SQLException("the connection was reset", "08006");
  }

  private CountDownLatch hold() {
    var held = new CountDownLatch(1);
    var go = new CountDownLatch(1);
    StoreTask.Work<PostgresWrites, Integer> work =
        session -> {
          held.countDown();
          await(go);
          return 0;
        };
    executor.submit(new StoreTask<>("holding up", work, trouble -> -1));
    await(held);
    return go;
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stray) {
      throw new IllegalStateException(stray);
    }
  }

  private StoreBatch next(int partition, HistoryRow... ended) {
    return owners.get(partition).next(ended);
  }

  private String transactions() throws SQLException {
    return one("SELECT count(DISTINCT xmin::text) FROM handoff_ledger");
  }

  private String one(String query) throws SQLException {
    try (var connection = connect();
        var row = connection.createStatement().executeQuery(query)) {
      row.next();
      return row.getString(1);
    }
  }

  private Map<String, Long> counts() {
    return get(store.historyCounts());
  }

  @Test
  void shareOneTransaction() throws SQLException {
    var failed = HistoryRows.of(4, "failed", "k");

    var answers = write(next(0, row(1), row(2)), next(1), next(2, row(3), failed), next(1));

    assertThat(answers).containsOnly(new Written(1)).hasSize(4);
    assertThat(transactions()).isEqualTo("1");
    for (int partition = 0; partition < 3; partition++) {
      assertThat(StoreReading.replay(store, partition)).containsExactly("1: facts 1");
    }
    assertThat(counts()).isEqualTo(Map.of("succeeded", 3L, "failed", 1L));
    assertThat(get(store.find(id(4)))).get().usingRecursiveComparison().isEqualTo(failed);
  }

  @Test
  void keepTheirOrderWithinAPartition() {
    var owner = owners.getFirst();
    var second = owner.batch(2, "facts 2", List.of(row(2)), List.of());
    var third = owner.batch(3, "facts 3", List.of(), List.of(id(2)));

    var answers = write(next(0, row(1)), second, next(1), third);

    assertThat(answers)
        .containsExactly(new Written(1), new Written(2), new Written(1), new Written(3));
    assertThat(StoreReading.replay(store, 0))
        .containsExactly("1: facts 1", "2: facts 2", "3: facts 3");
    assertThat(counts()).containsEntry("succeeded", 1L);
  }

  @Test
  void areAnsweredEachForItselfWhenOneIsFencedAndOneOpensAgainAndOneWasWrittenBefore()
      throws SQLException {
    var fenced = next(0, row(1));
    PartitionOwner.of(store, 0);
    owners.get(1).write(row(2));
    var opening = owners.get(1).batch(2, "opened", List.of(), List.of(id(2)));
    var before = next(2, row(3));
    get(owners.get(2).hand(before));

    var answers = write(fenced, opening, before, next(3, row(4)), next(4, row(5)));

    assertThat(answers.getFirst()).isInstanceOf(Fenced.class);
    assertThat(answers.subList(1, 5))
        .containsExactly(new Written(2), new Written(1), new Written(1), new Written(1));
    assertThat(StoreReading.replay(store, 0)).isEmpty();
    assertThat(StoreReading.replay(store, 2)).containsExactly("1: facts 1");
    assertThat(get(store.find(id(1)))).isEmpty();
    assertThat(get(store.find(id(2)))).isEmpty();
    assertThat(counts()).containsEntry("succeeded", 3L);
  }

  @Test
  void areAllWrittenButTheOneThatIsRefused() {
    owners.get(5).write(keyed(1, "k"));

    var answers =
        write(
            next(0, row(2)),
            next(1, row(3), keyed(4, "k")),
            next(2),
            next(3, keyed(5, "with \0 in it")),
            next(4, row(6)));

    assertThat(answers.get(1)).isInstanceOf(Refused.class);
    assertThat(answers.get(3)).isInstanceOf(Refused.class);
    assertThat(List.of(answers.get(0), answers.get(2), answers.get(4)))
        .containsOnly(new Written(1));
    assertThat(StoreReading.replay(store, 1)).isEmpty();
    assertThat(StoreReading.replay(store, 3)).isEmpty();
    assertThat(counts()).isEqualTo(Map.of("succeeded", 3L));
    assertThat(write(next(1, row(7)), next(3))).containsOnly(new Written(1));
  }

  @ParameterizedTest
  @EnumSource(Moment.class)
  void areWrittenOnceWhenTheConnectionIsLostWithTheirStatement(Moment moment) {
    var batches = new StoreBatch[] {next(0, row(1)), next(1), next(2, row(2))};
    database.arm(1, moment, PostgresMergingTest::hangUp);

    var answers = write(batches);

    assertThat(database.struck()).isTrue();
    assertThat(answers).containsOnly(new Written(1));
    assertThat(write(batches)).containsOnly(new Written(1));
    assertThat(counts()).isEqualTo(Map.of("succeeded", 2L));
    assertThat(StoreReading.replay(store, 2)).containsExactly("1: facts 1");
  }

  @ParameterizedTest
  @EnumSource(Moment.class)
  void areWrittenOnceWhenTheConnectionIsLostBehindTheirStatement(Moment moment) {
    owners.get(2).write(row(1));
    var opening = owners.get(2).batch(2, "opened", List.of(), List.of(id(1)));
    var batches = new StoreBatch[] {next(0, row(2)), opening, next(1, row(3))};
    database.arm(2, moment, PostgresMergingTest::hangUp);

    var answers = write(batches);

    assertThat(database.struck()).isTrue();
    assertThat(answers).containsExactly(new Written(1), new Written(2), new Written(1));
    assertThat(counts()).isEqualTo(Map.of("succeeded", 2L));
    assertThat(write(batches)).containsExactlyElementsOf(answers);
  }

  @Test
  void leaveWhoeverTookAPartitionOverItsOwnerWhenTheConnectionIsLostBehindIt() {
    database.arm(2, Moment.BEFORE, PostgresMergingTest::hangUp);

    var answers = together(List.of(takingOver(0), takingOver(1)));

    long incarnation = get(answers.getFirst()).incarnation();
    assertThat(get(answers.getLast()).incarnation()).isEqualTo(2);
    assertThat(database.struck()).isTrue();
    assertThat(write(new StoreBatch(0, incarnation, 1, bytes("facts"), List.of(), List.of())))
        .containsExactly(new Written(1));
  }

  @Test
  void areEachWrittenOnceWhateverElseIsWrittenAndLost() throws SQLException {
    var writers = owners.stream().map(each -> new RandomWriter(store, each, this::submit)).toList();

    RandomSeeds.each(
        5,
        random -> {
          var running = new ArrayList<CompletableFuture<Void>>();
          for (var writer : writers) {
            var own = new Random(random.nextLong());
            running.add(CompletableFuture.runAsync(() -> writer.write(50, own), threads));
          }
          var all = CompletableFuture.allOf(running.toArray(CompletableFuture[]::new));
          while (!all.isDone()) {
            var moment = random.nextBoolean() ? Moment.BEFORE : Moment.AFTER;
            database.arm(1 + random.nextInt(20), moment, PostgresMergingTest::hangUp);
            StageWait.until(() -> database.struck() || all.isDone());
          }
          database.disarm();
          get(all);

          var counts = new HashMap<String, Long>();
          writers.forEach(writer -> writer.check(counts));
          assertThat(counts()).isEqualTo(counts);
        });

    int batches = writers.stream().mapToInt(RandomWriter::batches).sum();
    assertThat(Integer.parseInt(transactions())).isLessThan(batches);
  }

  private CompletableFuture<WriteResult> submit(StoreBatch batch) {
    return executor.submit(writing(batch));
  }
}
