package dev.handoff.internal.store.postgres;

import static dev.handoff.internal.store.HistoryRows.id;
import static dev.handoff.internal.store.HistoryRows.row;
import static dev.handoff.internal.store.StageWait.get;
import static dev.handoff.internal.store.StageWait.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.StoreException;
import dev.handoff.StoreSettings;
import dev.handoff.internal.store.PartitionOwner;
import dev.handoff.internal.store.PostgresServer;
import dev.handoff.internal.store.Store;
import dev.handoff.internal.store.StoreBatch;
import dev.handoff.internal.store.StoreHome;
import dev.handoff.internal.store.StoreReading;
import dev.handoff.internal.store.WriteResult;
import dev.handoff.internal.store.WriteResult.Away;
import dev.handoff.internal.store.WriteResult.Written;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A store on a server that goes away")
class PostgresOutageTest {

  private static final String WRITER =
      "query LIKE '%INSERT INTO handoff_ledger%' AND state = 'active' AND pid <> pg_backend_pid()";

  private static PostgresServer server;

  private StoreHome home;
  private Store store;
  private PartitionOwner owner;

  @BeforeAll
  static void start() {
    server = PostgresServer.start(PostgresServer.CARELESS);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void open() {
    String url = server.newDatabase() + "&socketTimeout=2";
    home = new StoreHome(new StoreSettings.Postgres(url, "postgres", null, Duration.ofSeconds(1)));
    store = home.open();
    owner = PartitionOwner.of(store, 0);
    owner.write(row(1));
  }

  @AfterEach
  void close() {
    home.close();
  }

  @Test
  void isAwayWhileItIsDownAndResumesByItself() {
    server.kill();
    StoreBatch batch = owner.next(row(2));

    assertThat(get(owner.hand(batch))).isInstanceOf(Away.class);
    assertThatThrownBy(() -> get(store.find(id(1)))).isInstanceOf(StoreException.Unavailable.class);
    assertThatThrownBy(home::open)
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("opening the store in 127.0.0.1:" + server.port());

    server.start();
    long started = System.nanoTime();
    until(() -> get(store.write(batch)) instanceof Written);
    until(this::reads);

    assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(10));
    assertThat(StoreReading.replay(store, 0)).containsExactly("1: facts 1", "2: facts 2");
    assertThat(get(store.historyCounts())).containsEntry("succeeded", 2L);
  }

  private boolean reads() {
    try {
      return get(store.find(id(1))).isPresent();
    } catch (StoreException.Unavailable notYet) {
      return false;
    }
  }

  @Test
  void doesNotNoticeARestartWhileNothingIsWritten() {
    server.kill();
    server.start();

    assertThat(owner.write()).isEqualTo(new Written(2));
  }

  @Test
  void losesNothingWhenItIsRestartedOverAndOverUnderLoad() {
    List<WriteResult> answers = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      for (int batch = 0; batch < 20; batch++) {
        answers.add(owner.write());
      }
      CompletionStage<WriteResult> under = owner.hand(owner.next());
      server.kill();
      server.start();
      StoreBatch again = owner.batch(owner.seq(), "facts " + owner.seq(), List.of(), List.of());
      if (!(get(under) instanceof Written)) {
        until(() -> get(store.write(again)) instanceof Written);
      }
    }

    assertThat(answers).allMatch(Written.class::isInstance);
    assertThat(StoreReading.replay(store, 0)).hasSize(64).endsWith("64: facts 64");
  }

  @Test
  void isAwayWithinItsTimeoutsWhenItHangs() {
    StoreBatch batch = owner.next();
    server.freeze();
    try {
      long frozen = System.nanoTime();

      assertThat(get(owner.hand(batch))).isInstanceOf(Away.class);

      assertThat(Duration.ofNanos(System.nanoTime() - frozen)).isLessThan(Duration.ofSeconds(8));
    } finally {
      server.thaw();
    }

    until(() -> get(store.write(batch)) instanceof Written);
    assertThat(StoreReading.replay(store, 0)).containsExactly("1: facts 1", "2: facts 2");
  }

  @Test
  void looksUpWhatBecameOfAWriteWhoseConnectionWasCut() {
    StoreBatch batch = owner.next(row(2));
    CompletionStage<WriteResult> answer;
    try (var blocker = new Blocker()) {
      answer = owner.hand(batch);
      until(() -> blocker.count(WRITER) == 1);

      blocker.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE " + WRITER);
      until(() -> blocker.count(WRITER + " AND backend_start < now()") <= 1);
    }

    assertThat(get(answer)).isEqualTo(new Written(2));
    assertThat(StoreReading.replay(store, 0)).containsExactly("1: facts 1", "2: facts 2");
    assertThat(get(store.historyCounts())).containsEntry("succeeded", 2L);
  }

  /// The server normally times out a statement before the client does; this test disables that.
  @Test
  void isNotWrittenTwiceByAStatementThatWakesUpLate() {
    home.close();
    store = home.open(PostgresOutageTest::withoutLimits);
    owner = PartitionOwner.of(store, 0);
    StoreBatch batch = owner.next(row(2));
    try (var blocker = new Blocker()) {
      assertThat(get(owner.hand(batch))).isInstanceOf(Away.class);
      assertThat(blocker.count(WRITER)).isPositive();
    }

    until(() -> get(store.write(batch)) instanceof Written);
    assertThat(StoreReading.replay(store, 0)).containsExactly("1: facts 1", "2: facts 2");
    assertThat(get(store.historyCounts())).containsEntry("succeeded", 2L);
  }

  private static Connection withoutLimits(Connection connection) {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET statement_timeout = 0; SET lock_timeout = 0");
      return connection;
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }

  @Test
  void isOpenedOnceItHasStartedUp() throws InterruptedException {
    home.close();
    server.kill();
    var starting = new Thread(server::start);
    starting.start();

    until(
        () -> {
          try {
            store = home.open();
            return true;
          } catch (StoreException.Unavailable notYet) {
            return false;
          }
        });
    assertThat(StoreReading.replay(store, 0)).containsExactly("1: facts 1");
    starting.join();
  }

  /// Locks the partition's row, so that a write blocks inside its transaction.
  private final class Blocker implements AutoCloseable {
    private final Connection connection;
    private final Connection observer;

    Blocker() {
      try {
        connection = DriverManager.getConnection(home.url());
        observer = DriverManager.getConnection(home.url());
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
          statement.execute("SELECT 1 FROM handoff_partition FOR UPDATE");
        }
      } catch (SQLException failure) {
        throw new IllegalStateException(failure);
      }
    }

    void run(String sql) {
      try (Statement statement = observer.createStatement()) {
        statement.execute(sql);
      } catch (SQLException failure) {
        throw new IllegalStateException(failure);
      }
    }

    int count(String where) {
      try (Statement statement = observer.createStatement();
          var row =
              statement.executeQuery("SELECT count(*) FROM pg_stat_activity WHERE " + where)) {
        row.next();
        return row.getInt(1);
      } catch (SQLException failure) {
        throw new IllegalStateException(failure);
      }
    }

    @Override
    public void close() {
      try {
        connection.close();
        observer.close();
      } catch (SQLException failure) {
        throw new IllegalStateException(failure);
      }
    }
  }
}
