package dev.handoff.internal.store.postgres;

import static dev.handoff.StoreSettings.Access.OWN;
import static dev.handoff.StoreSettings.Access.READ;
import static dev.handoff.StoreSettings.Access.SHARE;
import static dev.handoff.internal.store.HistoryRows.id;
import static dev.handoff.internal.store.HistoryRows.row;
import static dev.handoff.internal.store.StageWait.get;
import static dev.handoff.internal.store.StageWait.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.StoreException;
import dev.handoff.StoreSettings;
import dev.handoff.internal.store.CheckpointChunk;
import dev.handoff.internal.store.FaultyDatabase;
import dev.handoff.internal.store.PartitionOwner;
import dev.handoff.internal.store.PostgresServer;
import dev.handoff.internal.store.Store;
import dev.handoff.internal.store.StoreBatch;
import dev.handoff.internal.store.StoreHome;
import dev.handoff.internal.store.StoreReading;
import dev.handoff.internal.store.WriteResult;
import dev.handoff.internal.store.WriteResult.Fenced;
import dev.handoff.internal.store.WriteResult.Written;
import dev.handoff.internal.store.open.StoreOpener;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A store on a PostgreSQL server")
class PostgresStoreTest {

  private static final String LOCK =
      " FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory' AND granted"
          + " AND datname = current_database()";

  private final StoreHome home =
      new StoreHome(StoreHome.postgres(PostgresServer.shared().newDatabase()));

  @AfterEach
  void close() {
    home.close();
  }

  @Test
  void isSharedByTheEnginesOfACluster() {
    Store first = home.open(3, SHARE);
    Store second = home.open(3, SHARE);

    PartitionOwner one = PartitionOwner.of(first, 0);
    PartitionOwner other = PartitionOwner.of(second, 1);
    assertThat(one.write(row(1))).isEqualTo(new Written(1));
    assertThat(other.write(row(2))).isEqualTo(new Written(1));
    assertThat(get(first.find(id(2)))).isPresent();
    assertThat(PartitionOwner.of(second, 0).write()).isEqualTo(new Written(2));
    assertThat(one.write()).isInstanceOf(Fenced.class);

    assertThatThrownBy(() -> home.open(3, OWN)).isInstanceOf(StoreException.Held.class);
    assertThat(StoreReading.replay(home.open(3, READ), 0)).hasSize(2);
  }

  @Test
  void takesItsLockAgainWhenItsConnectionIsLost() {
    Store store = home.open();
    PartitionOwner owner = PartitionOwner.of(store, 0);
    String before = one("SELECT pid" + LOCK);

    one("SELECT pg_terminate_backend(pid)" + LOCK);

    until(() -> heldByAnotherThan(before));
    assertThat(owner.write()).isEqualTo(new Written(1));
    assertThatThrownBy(() -> home.open()).isInstanceOf(StoreException.Held.class);
  }

  private boolean heldByAnotherThan(String backend) {
    return !List.of("", backend).contains(one("SELECT pid" + LOCK));
  }

  @Test
  void endsItsFormerConnectionThatTheServerHasNotMissed() {
    var database = new FaultyDatabase();
    Store store = home.open(database);
    PartitionOwner owner = PartitionOwner.of(store, 0);
    String before = one("SELECT pid" + LOCK);

    database.cut();

    until(() -> heldByAnotherThan(before));
    assertThat(owner.write()).isEqualTo(new Written(1));
  }

  @Test
  void stepsDownWhenSomebodyElseTookTheLock() throws Exception {
    Store store = home.open();
    PartitionOwner owner = PartitionOwner.of(store, 0);
    owner.write();
    String url = home.url() + "&ApplicationName=the%20new%20owner";
    try (Connection rival = DriverManager.getConnection(url)) {
      var taken = CompletableFuture.runAsync(() -> takeLock(rival), Thread::startVirtualThread);
      until(
          () ->
              one("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
                  .equals("1"));

      one("SELECT pg_terminate_backend(pid)" + LOCK);
      get(taken);

      StoreBatch batch = owner.next();
      until(
          () ->
              get(store.write(owner.batch(1, "facts 1", List.of(), List.of()))) instanceof Fenced);
      assertThat(get(store.write(batch)))
          .isInstanceOfSatisfying(
              Fenced.class, it -> assertThat(it.by()).isEqualTo("the new owner"));
      assertThatThrownBy(() -> get(store.takeOver(0, "me again")))
          .isInstanceOf(StoreException.Held.class);
    }
  }

  /// Queues for the advisory lock that the store holds.
  private void takeLock(Connection connection) {
    try (var statement = connection.createStatement()) {
      statement.execute(
          "SELECT pg_advisory_lock(classid::int, objid::bigint::bit(32)::int)" + LOCK);
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }

  @Test
  void livesInTheSchemaOfItsUrl() {
    PostgresServer.execute(home.url(), "CREATE SCHEMA one; CREATE SCHEMA two");
    try (var one = new StoreHome(StoreHome.postgres(home.url() + "&currentSchema=one"));
        var two = new StoreHome(StoreHome.postgres(home.url() + "&currentSchema=two"))) {
      PartitionOwner.of(one.open(), 0).write(row(1));

      assertThat(get(two.open().find(id(1)))).isEmpty();
    }
    assertThat(one("SELECT count(*) FROM one.handoff_history")).isEqualTo("1");
  }

  @Test
  void saysWhatIsWrongWithItsSettings() {
    String url = "jdbc:postgresql://127.0.0.1:" + PostgresServer.shared().port();

    assertThatThrownBy(() -> open("jdbc:mysql://localhost/x"))
        .isInstanceOf(StoreException.Unfit.class)
        .hasMessageContaining("jdbc:postgresql://host:port/database");
    assertThatThrownBy(() -> open(url + "/no_such_database?user=postgres"))
        .isInstanceOf(StoreException.Denied.class)
        .hasMessageContaining("no_such_database");
    assertThatThrownBy(() -> open(url + "/postgres?user=nobody_we_know"))
        .isInstanceOf(StoreException.Denied.class)
        .hasMessageContaining("nobody_we_know");
    PostgresServer.execute(home.url(), "CREATE ROLE guest LOGIN");
    assertThatThrownBy(() -> open(home.url().replace("user=postgres", "user=guest")))
        .isInstanceOf(StoreException.Unfit.class)
        .hasMessageContaining("permission denied");
    assertThatThrownBy(() -> open(home.url() + "&currentSchema=nowhere"))
        .isInstanceOf(StoreException.Unfit.class)
        .hasMessageContaining("no schema");
    assertThatThrownBy(() -> open("jdbc:postgresql://127.0.0.1:1/x?user=postgres"))
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("127.0.0.1:1/x");
  }

  @Test
  void doesNotShowItsPassword() {
    var settings =
        new StoreSettings.Postgres(home.url(), "postgres", "secret", Duration.ofSeconds(2));
    try (var other = new StoreHome(settings)) {
      assertThat(other.open().info().place()).startsWith("127.0.0.1:").doesNotContain("secret");
    }
    assertThat(settings.toString()).doesNotContain("secret");
  }

  @Test
  void isUnreadableWithoutOneOfItsTables() {
    home.open().close();
    PostgresServer.execute(home.url(), "ALTER TABLE handoff_history RENAME TO elsewhere");
    Store store = home.open();

    assertThatThrownBy(() -> get(store.find("x")))
        .isInstanceOf(StoreException.Unreadable.class)
        .hasMessageContaining("handoff_history");
    WriteResult answer = PartitionOwner.of(store, 0).write(row(1));
    assertThat(answer).isInstanceOf(WriteResult.Away.class);

    PostgresServer.execute(home.url(), "ALTER TABLE elsewhere RENAME TO handoff_history");
    assertThat(get(store.find("x"))).isEmpty();
  }

  @Test
  void reusesTheRoomOfWhatWasTrimmedBeforeTheServerWouldByItself() {
    Store store = home.open();
    PartitionOwner owner = PartitionOwner.of(store, 0);
    byte[] facts = new byte[1 << 20];
    for (int batch = 1; batch <= 400; batch++) {
      get(store.write(new StoreBatch(0, owner.incarnation(), batch, facts, List.of(), List.of())));
      if (batch % 10 == 0) {
        get(store.writeChunk(new CheckpointChunk(0, owner.incarnation(), batch, 0, facts, true)));
        while (get(store.trim(0, owner.incarnation(), 4))) {
          assertThat(batch).isPositive();
        }
      }
    }

    long size = Long.parseLong(one("SELECT pg_total_relation_size('handoff_ledger')"));
    assertThat(size).isLessThan(256L << 20);
  }

  @Test
  void keepsTheHistoryOfABatchThatWasFencedIfItsFenceIsTakenAway() {
    Store store =
        home.open(new FaultyDatabase(sql -> sql.replace("FROM own, unnest", "FROM unnest")));
    PartitionOwner former = PartitionOwner.of(store, 0);
    PartitionOwner.of(store, 0);

    assertThat(former.write(row(1))).isInstanceOf(Fenced.class);

    assertThat(get(store.find(id(1)))).isPresent();
  }

  private static Store open(String url) {
    var settings =
        new StoreSettings(StoreHome.postgres(url), 1, OWN, "the test that expects a refusal");
    return StoreOpener.open(settings, UnaryOperator.identity());
  }

  /// First column of the first row as text; empty without rows.
  private String one(String sql) {
    try (Connection connection = DriverManager.getConnection(home.url());
        var statement = connection.createStatement();
        var row = statement.executeQuery(sql)) {
      return row.next() ? row.getString(1) : "";
    } catch (SQLException failure) {
      throw new IllegalStateException(sql, failure);
    }
  }
}
