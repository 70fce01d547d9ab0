package dev.handoff.store;

import static dev.handoff.store.Plans.blob;
import static dev.handoff.store.Stages.get;
import static dev.handoff.store.Stages.until;
import static dev.handoff.store.StoreSettings.Access.SHARE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.testing.Seeds;
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

/// Several engines of a cluster, one server.
@DisplayName("Contents that several engines keep and forget at once")
class StoreBlobRaceTest {

  private static final List<Blob> CONTENTS =
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
    var plans = new Plans(stores.getFirst());

    Seeds.each(
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
          running.forEach(Stages::get);
          BlobCounts.check(StoreKind.POSTGRES, home);
          plans.forgetUpTo(99);
        });

    BlobCounts.check(StoreKind.POSTGRES, home);
  }

  /// Of plans that end meanwhile, and in no order. What the server refuses because two wait for
  /// each other is done again by the store.
  private static void keepSome(Store store, Random random) {
    for (int round = 0; round < 15; round++) {
      var contents = some(random);
      var known = some(random).stream().map(Blob::sha256).collect(Collectors.toSet());
      var keeping =
          new Keeping(
              Rows.id(1 + random.nextInt(20)), contents, random.nextBoolean() ? known : Set.of());
      again(() -> store.keepBlobs(List.of(keeping)));
    }
  }

  private static List<Blob> some(Random random) {
    var all = new ArrayList<>(CONTENTS);
    Collections.shuffle(all, random);
    return all.subList(0, 1 + random.nextInt(100));
  }

  private static void forgetSome(Store store) {
    for (int round = 0; round < 15; round++) {
      again(() -> store.forget(Plans.after(20), 3));
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
    var plans = new Plans(store);
    plans.keep(1, blob("a"), blob("b"));

    try (var other = DriverManager.getConnection(home.jdbcUrl())) {
      other.setAutoCommit(false);
      execute(other, "DELETE FROM handoff_blob");
      execute(other, "DELETE FROM handoff_blob_use");
      var kept = keep(store, new Keeping(Rows.id(2), List.of(blob("a")), Set.of()));
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
    new Plans(store).keep(1, blob("a"));

    try (var other = DriverManager.getConnection(home.jdbcUrl())) {
      other.setAutoCommit(false);
      execute(other, "DELETE FROM handoff_blob");
      execute(other, "DELETE FROM handoff_blob_use");
      var known = Set.of(blob("a").sha256());
      var kept = keep(store, new Keeping(Rows.id(2), List.of(), known));
      until(this::somebodyWaits);

      other.commit();

      assertThat(get(kept)).containsOnly(known);
    }
    BlobCounts.check(StoreKind.POSTGRES, home);
  }

  private static CompletionStage<List<Set<String>>> keep(Store store, Keeping keeping) {
    return store.keepBlobs(List.of(keeping));
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
