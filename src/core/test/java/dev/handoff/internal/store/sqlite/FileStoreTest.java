package dev.handoff.internal.store.sqlite;

import static dev.handoff.StoreSettings.Access.OWN;
import static dev.handoff.StoreSettings.Access.READ;
import static dev.handoff.StoreSettings.Access.SHARE;
import static dev.handoff.internal.store.HistoryRows.id;
import static dev.handoff.internal.store.HistoryRows.row;
import static dev.handoff.internal.store.StageWait.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.StoreException;
import dev.handoff.internal.store.BlobCounts;
import dev.handoff.internal.store.CheckpointChunk;
import dev.handoff.internal.store.FaultyDatabase;
import dev.handoff.internal.store.FaultyDatabase.Moment;
import dev.handoff.internal.store.HistoryQuery;
import dev.handoff.internal.store.PackedBlob;
import dev.handoff.internal.store.PartitionOwner;
import dev.handoff.internal.store.PartitionReplay;
import dev.handoff.internal.store.Store;
import dev.handoff.internal.store.StoreBatch;
import dev.handoff.internal.store.StoreHome;
import dev.handoff.internal.store.StoreKind;
import dev.handoff.internal.store.StoreReading;
import dev.handoff.internal.store.StoredPlanSamples;
import dev.handoff.internal.store.WriteResult;
import dev.handoff.internal.store.WriteResult.Away;
import dev.handoff.internal.store.WriteResult.Written;
import dev.handoff.internal.store.WritingProcess;
import dev.handoff.testing.RewrittenRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

@DisplayName("A store in a directory")
class FileStoreTest {

  private final StoreHome home = new StoreHome(StoreKind.FILE);

  @AfterEach
  void close() {
    home.close();
  }

  @Test
  void isHeldByAnotherProcessUntilThatIsGone() throws Exception {
    try (var process = WritingProcess.start(home.directory())) {
      assertThatThrownBy(() -> home.open())
          .isInstanceOf(StoreException.Held.class)
          .hasMessageContaining("held by pid " + process.pid());
      assertThatThrownBy(() -> home.open(0, READ))
          .isInstanceOf(StoreException.Held.class)
          .hasMessageContaining("held by pid " + process.pid());
    }

    assertThat(home.open().info().fresh()).isFalse();
  }

  /// On macOS, a plain sync leaves data in the disk's cache.
  @Test
  void asksForSyncsThatReachTheDisk() throws SQLException {
    home.open().close();
    var connections =
        new SqliteConnections(new SqliteFiles(home.directory()), UnaryOperator.identity());

    try (var writer = connections.writer()) {
      for (var setting :
          Map.of("synchronous", 2, "fullfsync", 1, "checkpoint_fullfsync", 1).entrySet()) {
        try (var row = writer.createStatement().executeQuery("PRAGMA " + setting.getKey())) {
          assertThat(row.getInt(1)).as(setting.getKey()).isEqualTo(setting.getValue());
        }
      }
    }
  }

  /// SQLite reads a large state page by page to reach the columns behind it.
  @Test
  void keepsStatesBehindAllThatIsReadWithoutThem() throws SQLException {
    home.open().close();
    var connections =
        new SqliteConnections(new SqliteFiles(home.directory()), UnaryOperator.identity());

    var columns = new ArrayList<String>();
    try (var writer = connections.writer();
        var rows = writer.createStatement().executeQuery("PRAGMA table_info(handoff_history)")) {
      while (rows.next()) {
        columns.add(rows.getString("name"));
      }
    }

    assertThat(columns).contains("fingerprint").last().isEqualTo("state");
  }

  @Test
  void thatIsClosedTwiceLeavesItsSuccessorsNameAlone() {
    var first = home.open();
    first.close();
    home.open();
    var name = new SqliteFiles(home.directory()).owner();
    assertThat(name).exists();

    first.close();

    assertThat(name).exists();
  }

  @Test
  void hasEverythingThatWasAcknowledgedBeforeItsProcessWasKilled() throws Exception {
    for (int round = 1; round <= 3; round++) {
      List<Long> acknowledged;
      try (var process = WritingProcess.start(home.directory())) {
        acknowledged = process.killAfter(120);
      }

      try (Store store = home.open(0, READ)) {
        long last = acknowledged.getLast();
        assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(120);
        assertThat(facts(store)).contains(last).isSorted();
        for (long seq : acknowledged) {
          assertThat(get(store.find(id(seq)))).isPresent();
        }
        long rows = get(store.historyCounts()).get("succeeded");
        assertThat(rows).isBetween(last, last + 1);
      }
    }
  }

  private static List<Long> facts(Store store) {
    return StoreReading.pages(store, 0).stream()
        .flatMap(page -> page.pieces().stream())
        .filter(PartitionReplay.Facts.class::isInstance)
        .map(piece -> ((PartitionReplay.Facts) piece).seq())
        .toList();
  }

  @Test
  void isLeftAsItIsByAReader() throws Exception {
    home.open().close();
    assertReadingChangesNothing();

    try (var process = WritingProcess.start(home.directory())) {
      process.killAfter(10);
    }
    assertThat(files()).containsKeys("handoff.db-wal", "handoff.db-shm");
    assertReadingChangesNothing();
  }

  private void assertReadingChangesNothing() throws IOException {
    Map<String, List<Object>> before = files();
    try (Store store = home.open(0, READ)) {
      StoreReading.pages(store, 0);
      get(store.list(HistoryQuery.newest(5)));
    }
    assertThat(files()).isEqualTo(before);
  }

  private Map<String, List<Object>> files() throws IOException {
    var files = new TreeMap<String, List<Object>>();
    try (Stream<Path> all = Files.list(home.directory())) {
      for (Path file : all.toList()) {
        FileTime changed = Files.getLastModifiedTime(file);
        int content = Arrays.hashCode(Files.readAllBytes(file));
        files.put(file.getFileName().toString(), List.of(changed, content));
      }
    }
    return files;
  }

  @Test
  void isReadFromACopyThatHasNeitherLockNorIndex() throws Exception {
    try (var process = WritingProcess.start(home.directory())) {
      process.killAfter(10);
    }
    Files.delete(home.directory().resolve("handoff.lock"));
    Files.delete(home.directory().resolve("handoff.db-shm"));

    try (Store store = home.open(0, READ)) {
      assertThat(facts(store)).hasSizeGreaterThanOrEqualTo(10);
    }
  }

  @Test
  void saysThatItIsOutOfRoomAndGoesOnWhenThereIsSome() {
    var mostPages = new AtomicInteger(100);
    Store store = home.open(connection -> limit(connection, mostPages.get()));
    PartitionOwner owner = PartitionOwner.of(store, 0);
    WriteResult answer;
    StoreBatch batch;
    do {
      batch = owner.next(RewrittenRow.state(row(owner.seq()), new byte[50_000]));
      answer = get(owner.hand(batch));
    } while (answer instanceof Written);

    assertThat(answer)
        .isInstanceOfSatisfying(
            Away.class, away -> assertThat(away.reason()).contains("no room left"));
    assertThat(StoreReading.replay(store, 0)).hasSize((int) batch.seq() - 1);
    assertThat(get(store.write(batch))).isInstanceOf(Away.class);

    mostPages.set(1_000);

    assertThat(get(store.write(batch))).isEqualTo(new Written(batch.seq()));
    assertThat(owner.write()).isEqualTo(new Written(batch.seq() + 1));
    assertThat(StoreReading.replay(store, 0)).hasSize((int) batch.seq() + 1);
  }

  @Test
  void keepsNothingOfContentsThatItHasNoRoomFor() {
    var mostPages = new AtomicInteger(200);
    Store store = home.open(connection -> limit(connection, mostPages.get()));
    var plans = new StoredPlanSamples(store);
    var owner = PartitionOwner.of(store, 1);
    var contents = new ArrayList<PackedBlob>();
    for (int seed = 0; seed < 400; seed++) {
      byte[] content = new byte[10_000];
      new Random(seed).nextBytes(content);
      contents.add(PackedBlob.of(content));
    }

    assertThatThrownBy(() -> plans.keep(1, contents, Set.of()))
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("no room left");

    assertThat(plans.there(contents)).isEmpty();
    BlobCounts.check(StoreKind.FILE, home);
    mostPages.set(2_000);
    assertThat(owner.write()).isEqualTo(new Written(1));
    assertThat(plans.keep(1, contents, Set.of())).isEmpty();
    assertThat(plans.there(contents)).hasSize(400);
    BlobCounts.check(StoreKind.FILE, home);
  }

  private static Connection limit(Connection connection, int pages) {
    try (var statement = connection.createStatement()) {
      statement.execute("PRAGMA max_page_count = " + pages);
      return connection;
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }

  @Test
  void waitsForAnotherProgramThatHasLockedTheDatabase() throws Exception {
    Store store = home.open(FileStoreTest::impatient);
    PartitionOwner owner = PartitionOwner.of(store, 0);
    StoreBatch batch = owner.next();
    try (var other = DriverManager.getConnection(home.jdbcUrl());
        var statement = other.createStatement()) {
      statement.execute("BEGIN IMMEDIATE");

      assertThat(get(owner.hand(batch)))
          .isInstanceOfSatisfying(
              Away.class, away -> assertThat(away.reason()).contains("another program"));

      statement.execute("ROLLBACK");
    }
    assertThat(get(store.write(batch))).isEqualTo(new Written(1));
  }

  /// Connection without a lock time-out.
  private static Connection impatient(Connection connection) {
    return new FaultyDatabase(sql -> sql.replace("busy_timeout = 5000", "busy_timeout = 0"))
        .apply(connection);
  }

  @Test
  void writesHalfABatchIfItsTransactionsAreTakenAway() {
    var transactions = List.of("BEGIN IMMEDIATE", "COMMIT", "ROLLBACK");
    var database = new FaultyDatabase(sql -> transactions.contains(sql) ? "SELECT 1" : sql);
    Store store = home.open(database);
    PartitionOwner owner = PartitionOwner.of(store, 0);
    database.arm(
        3, Moment.AFTER, broken -> new SQLiteException("full", SQLiteErrorCode.SQLITE_FULL));

    assertThat(owner.write(row(1))).isInstanceOf(Away.class);

    assertThat(StoreReading.replay(store, 0)).containsExactly("1: facts 1");
    assertThat(get(store.find(id(1)))).isEmpty();
  }

  @Test
  void reusesTheRoomOfWhatWasTrimmed() throws Exception {
    Store store = home.open();
    PartitionOwner owner = PartitionOwner.of(store, 0);
    byte[] facts = new byte[1 << 20];
    long largest = 0;
    for (int batch = 1; batch <= 120; batch++) {
      get(store.write(new StoreBatch(0, owner.incarnation(), batch, facts, List.of(), List.of())));
      if (batch % 10 == 0) {
        get(store.writeChunk(new CheckpointChunk(0, owner.incarnation(), batch, 0, facts, true)));
        while (get(store.trim(0, owner.incarnation(), 4))) {
          largest = Math.max(largest, Files.size(home.directory().resolve("handoff.db")));
        }
      }
    }

    assertThat(largest).isLessThan(40L << 20);
    assertThat(Files.size(home.directory().resolve("handoff.db-wal"))).isLessThan(80L << 20);
  }

  @Test
  void isHeldByAnotherProcessIfNobodyCouldWriteDownWho() throws Exception {
    Files.createDirectories(home.directory().resolve("handoff.owner/not empty"));
    Store store = home.open();

    assertThatThrownBy(() -> home.open())
        .isInstanceOf(StoreException.Held.class)
        .hasMessageContaining("held by another process");
    store.close();
  }

  @Test
  void isUnavailableWithoutItsLock() throws Exception {
    Files.createDirectories(home.directory().resolve("handoff.lock"));

    assertThatThrownBy(() -> home.open())
        .isInstanceOf(StoreException.Unavailable.class)
        .hasMessageContaining("opening the store in " + home.directory());
    assertThatThrownBy(() -> home.open(0, READ)).isInstanceOf(StoreException.Unfit.class);
  }

  @Test
  void isNotForAClusterAndNotForAFile() throws Exception {
    assertThatThrownBy(() -> home.open(3, SHARE))
        .isInstanceOf(StoreException.Unfit.class)
        .hasMessageContaining("a cluster needs PostgreSQL");
    Files.createFile(home.directory());
    assertThatThrownBy(() -> home.open(3, OWN))
        .isInstanceOf(StoreException.Unfit.class)
        .hasMessageContaining("no store can be made in");
    Files.delete(home.directory());
  }
}
