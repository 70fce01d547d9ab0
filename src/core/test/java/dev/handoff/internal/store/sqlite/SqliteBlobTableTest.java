package dev.handoff.internal.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.store.BlobCounts;
import dev.handoff.internal.store.BlobUse;
import dev.handoff.internal.store.BlobWrites;
import dev.handoff.internal.store.HistoryRows;
import dev.handoff.internal.store.PackedBlob;
import dev.handoff.internal.store.SqlSession;
import dev.handoff.internal.store.StoreHome;
import dev.handoff.internal.store.StoreKind;
import dev.handoff.internal.store.StoredBlob;
import dev.handoff.internal.store.StoredPlanSamples;
import dev.handoff.testing.RandomSeeds;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Small limits for unindexed blobs and for moves to the index, so that moves are in progress all
/// the time.
@DisplayName("Contents in SQLite on their way into the index")
class SqliteBlobTableTest {

  private static final int STEPS = 80;
  private static final SqliteBlobTable.Pace HASTY = new SqliteBlobTable.Pace(6, 3, 5);
  private static final List<PackedBlob> CONTENTS =
      IntStream.range(0, 40)
          .mapToObj(number -> StoredPlanSamples.blob("content " + number))
          .toList();

  /// Database with a writer that is sometimes killed, and a permanent reader.
  private static final class Bench implements AutoCloseable {
    final StoreHome home = new StoreHome(StoreKind.FILE);
    final SqlSession readers;
    final SqliteBlobReads reads;
    final Map<String, List<String>> used = new TreeMap<>();
    SqlSession session;
    BlobWrites writes;

    Bench() throws SQLException {
      home.open().close();
      readers = connect();
      reads = new SqliteBlobReads(readers);
      session = connect();
      writes = new BlobWrites(session, new SqliteBlobTable(session, HASTY));
    }

    private SqlSession connect() throws SQLException {
      var connection = DriverManager.getConnection(home.jdbcUrl());
      SqliteConnections.set(connection, List.of("PRAGMA synchronous = OFF"));
      return new SqlSession(connection, new SqliteDialect());
    }

    void dieAndStartAgain() throws SQLException {
      session.close();
      session = connect();
      writes = new BlobWrites(session, new SqliteBlobTable(session, HASTY));
    }

    void keep(Random random) throws SQLException {
      var asked = new ArrayList<BlobUse>();
      for (int count = 1 + random.nextInt(3); count > 0; count--) {
        asked.add(new BlobUse(HistoryRows.id(random.nextInt(4)), some(random), Set.of()));
      }
      session.run("BEGIN IMMEDIATE");
      assertThat(writes.keep(asked)).containsOnly(Set.of());
      if (random.nextInt(4) == 0) {
        session.run("ROLLBACK");
        writes.undone();
      } else {
        session.run("COMMIT");
        asked.forEach(
            use ->
                used.computeIfAbsent(use.owner(), first -> new ArrayList<>()).addAll(use.used()));
      }
    }

    private static List<PackedBlob> some(Random random) {
      var some = new HashSet<PackedBlob>();
      for (int count = random.nextInt(6); count > 0; count--) {
        some.add(CONTENTS.get(random.nextInt(CONTENTS.size())));
      }
      return List.copyOf(some);
    }

    void forget(Random random) throws SQLException {
      var owner = HistoryRows.id(random.nextInt(4));
      session.run("BEGIN IMMEDIATE");
      writes.forget(List.of(owner));
      session.run("COMMIT");
      used.remove(owner);
      for (int turn = 0; writes.isPending(); turn++) {
        assertThat(turn).isLessThan(100);
        session.run("BEGIN IMMEDIATE");
        writes.giveBack();
        if (random.nextInt(4) == 0) {
          session.run("ROLLBACK");
          writes.undone();
        } else {
          session.run("COMMIT");
        }
      }
    }

    void check() throws SQLException {
      var wanted = CONTENTS.stream().map(PackedBlob::sha256).sorted().toList();
      var found = new HashMap<String, StoredBlob>();
      reads.read(wanted, found);
      var there = new TreeSet<String>();
      used.values().forEach(there::addAll);
      assertThat(found.keySet()).isEqualTo(there);
      assertThat(found.values()).allMatch(StoredBlob::intact);
      BlobCounts.check(StoreKind.FILE, home);
    }

    @Override
    public void close() throws SQLException {
      session.close();
      readers.close();
      home.close();
    }
  }

  @Test
  void areReadAndCountedWhereverTheyAre() {
    RandomSeeds.each(
        25,
        random -> {
          try (var bench = new Bench()) {
            for (int step = 0; step < STEPS; step++) {
              switch (random.nextInt(8)) {
                case 0 -> bench.forget(random);
                case 1 -> bench.dieAndStartAgain();
                default -> bench.keep(random);
              }
              bench.check();
            }
          }
        });
  }

  @Test
  void moveAFewAtATimeUntilNoneIsLeft() throws Exception {
    try (var bench = new Bench()) {
      var indexed = new ArrayList<Long>();
      for (int number = 0; number < 12; number++) {
        var use = new BlobUse(HistoryRows.id(1), List.of(CONTENTS.get(number)), Set.of());
        bench.session.run("BEGIN IMMEDIATE");
        bench.writes.keep(List.of(use));
        bench.session.run("COMMIT");
        indexed.add(count(bench, "handoff_blob"));
      }

      assertThat(indexed).isEqualTo(Arrays.asList(0L, 0L, 0L, 0L, 0L, 0L, 0L, 3L, 6L, 8L, 8L, 8L));
      assertThat(count(bench, "handoff_blob_new")).isEqualTo(4);
    }
  }

  @Test
  void areNeverManyHoweverManyCome() throws Exception {
    try (var bench = new Bench()) {
      for (int write = 0; write < 10; write++) {
        int from = 100 * write;
        var many =
            IntStream.range(from, from + 100)
                .mapToObj(n -> StoredPlanSamples.blob("one of " + n))
                .toList();
        bench.session.run("BEGIN IMMEDIATE");
        bench.writes.keep(List.of(new BlobUse(HistoryRows.id(1), many, Set.of())));
        bench.session.run("COMMIT");

        assertThat(1_000 - count(bench, "handoff_blob")).isGreaterThanOrEqualTo(0);
        assertThat(from + 100 - count(bench, "handoff_blob")).isLessThanOrEqualTo(200);
      }
    }
  }

  /// Every read or write of blobs runs this query first.
  @Test
  void areNoticedWithoutReadingAllOfThem() throws Exception {
    try (var bench = new Bench();
        var plan = bench.session.query("EXPLAIN QUERY PLAN " + NewBlobs.EDGES)) {
      while (plan.next()) {
        assertThat(plan.getString("detail")).doesNotContain("SCAN handoff_blob_new");
      }
    }
  }

  private static long count(Bench bench, String table) throws SQLException {
    try (var row = bench.session.query("SELECT count(*) FROM " + table)) {
      row.next();
      return row.getLong(1);
    }
  }

  /// More blobs than one row can list.
  @Test
  void mayBeVeryManyInOneWrite() throws Exception {
    var many =
        IntStream.range(0, 10_000)
            .mapToObj(n -> StoredPlanSamples.blob("one of many " + n))
            .toList();
    try (var bench = new Bench()) {
      bench.session.run("BEGIN IMMEDIATE");
      bench.writes.keep(List.of(new BlobUse(HistoryRows.id(1), many, Set.of())));
      bench.session.run("COMMIT");

      assertThat(count(bench, "handoff_blob_new")).isEqualTo(3);
      var wanted = many.subList(9_000, 9_256).stream().map(PackedBlob::sha256).sorted().toList();
      var found = new HashMap<String, StoredBlob>();
      bench.reads.read(wanted, found);
      assertThat(found.keySet()).containsExactlyInAnyOrderElementsOf(wanted);
      assertThat(found.values()).allMatch(StoredBlob::intact);
      BlobCounts.check(StoreKind.FILE, bench.home);
    }
  }
}
