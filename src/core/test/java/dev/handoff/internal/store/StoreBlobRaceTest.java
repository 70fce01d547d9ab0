package dev.handoff.internal.store;

import static dev.handoff.StoreSettings.Access.SHARE;
import static dev.handoff.internal.store.StageWait.get;
import static dev.handoff.internal.store.StageWait.until;
import static dev.handoff.internal.store.StoredPlanSamples.blob;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.StoreException;
import dev.handoff.testing.RandomSeeds;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Several engines of a cluster on one server.
@DisplayName("Contents that several engines keep and forget at once")
class StoreBlobRaceTest {

  private static final List<PackedBlob> CONTENTS =
      IntStream.range(0, 200).mapToObj(number -> blob("content " + number)).toList();

  private final StoreHome home =
      new StoreHome(StoreHome.postgres(PostgresServer.shared().newDatabase()));
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void close() {
    threads.shutdownNow();
    home.close();
  }

  @Test
  void areCountedAsOftenAsTheyAreUsed() {
    var stores = List.of(home.open(3, SHARE), home.open(3, SHARE), home.open(3, SHARE));
    var plans = new StoredPlanSamples(stores.getFirst());

    RandomSeeds.each(
        3,
        random -> {
          var running = new ArrayList<CompletableFuture<Void>>();
          for (var store : stores) {
            for (int thread = 0; thread < 2; thread++) {
              var own = new Random(random.nextLong());
              running.add(CompletableFuture.runAsync(() -> keepSome(store, own), threads));
            }
            running.add(CompletableFuture.runAsync(() -> forgetSome(store), threads));
          }
          for (long plan = 1; plan <= 20; plan++) {
            plans.end(plan);
          }
          running.forEach(StageWait::get);
          BlobCounts.check(StoreKind.POSTGRES, home);
          plans.forgetUpTo(99);
        });

    BlobCounts.check(StoreKind.POSTGRES, home);
  }

  /// Keeps blobs for plans that end concurrently, in random order. The store repeats transactions
  /// that the server aborts because of a deadlock.
  private static void keepSome(Store store, Random random) {
    for (int round = 0; round < 15; round++) {
      var contents = some(random);
      var known = some(random).stream().map(PackedBlob::sha256).collect(Collectors.toSet());
      var use =
          new BlobUse(
              HistoryRows.id(1 + random.nextInt(20)),
              contents,
              random.nextBoolean() ? known : Set.of());
      again(() -> store.keepBlobs(List.of(use)));
    }
  }

  private static List<PackedBlob> some(Random random) {
    var all = new ArrayList<>(CONTENTS);
    Collections.shuffle(all, random);
    return all.subList(0, 1 + random.nextInt(100));
  }

  private static void forgetSome(Store store) {
    for (int round = 0; round < 15; round++) {
      again(() -> store.forget(StoredPlanSamples.after(20), 3));
    }
  }

  private interface Ask {
    CompletionStage<?> ask();
  }

  private static void again(Ask ask) {
    while (true) {
      try {
        get(ask.ask());
        return;
      } catch (StoreException.Unavailable deadlock) {
        assertThat(deadlock).hasMessageContaining("40P01");
      }
    }
  }

  @Test
  void areStoredAnewWhenAnotherHasJustDeletedThem() throws Exception {
    var store = home.open(3, SHARE);
    var plans = new StoredPlanSamples(store);
    plans.keep(1, blob("a"), blob("b"));

    try (var other = DriverManager.getConnection(home.jdbcUrl())) {
      other.setAutoCommit(false);
      execute(other, "DELETE FROM handoff_blob");
      execute(other, "DELETE FROM handoff_blob_use");
      var kept = keep(store, new BlobUse(HistoryRows.id(2), List.of(blob("a")), Set.of()));
      until(this::somebodyWaits);

      other.commit();

      assertThat(get(kept)).containsOnly(Set.of());
    }
    assertThat(plans.there(blob("a"), blob("b"))).containsOnly(blob("a").sha256());
    BlobCounts.check(StoreKind.POSTGRES, home);
  }

  @Test
  void areMissingWhenAnotherHasJustDeletedThem() throws Exception {
    var store = home.open(3, SHARE);
    new StoredPlanSamples(store).keep(1, blob("a"));

    try (var other = DriverManager.getConnection(home.jdbcUrl())) {
      other.setAutoCommit(false);
      execute(other, "DELETE FROM handoff_blob");
      execute(other, "DELETE FROM handoff_blob_use");
      var known = Set.of(blob("a").sha256());
      var kept = keep(store, new BlobUse(HistoryRows.id(2), List.of(), known));
      until(this::somebodyWaits);

      other.commit();

      assertThat(get(kept)).containsOnly(known);
    }
    BlobCounts.check(StoreKind.POSTGRES, home);
  }

  private static CompletionStage<List<Set<String>>> keep(Store store, BlobUse use) {
    return store.keepBlobs(List.of(use));
  }

  private boolean somebodyWaits() {
    try {
      return !GoldenStore.texts(
              home,
              "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                  + " AND datname = current_database()")
          .isEmpty();
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
