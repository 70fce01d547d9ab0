package dev.handoff.internal.store;

import static dev.handoff.internal.store.StageWait.get;

import dev.handoff.StoreSettings;
import dev.handoff.internal.store.open.StoreOpener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/// Throughput of a store: batches of 1,000 facts of 100 bytes and 350 history rows with states of
/// 400 bytes, from 4 partitions that each wait for their answers. After every 32 MiB of facts, a
/// partition writes a checkpoint of 8 MiB and trims, like a ledger.
///
/// `StoreBench file|postgres|postgres-url URL [seconds] [rows a batch] [facts a batch]`, run by
/// `./sbt "core/Test/runMain dev.handoff.internal.store.StoreBench file 30"`.
public final class StoreBench {

  private static final int PARTITIONS = 4;
  private static final int FACT_BYTES = 100;
  private static final int STATE_BYTES = 400;
  private static final long CHECKPOINT_AFTER = 32L << 20;
  private static final String BASE_32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

  private final Store store;
  private final long end;
  private final int rows;
  private final int facts;

  private StoreBench(Store store, long end, int rows, int facts) {
    this.store = store;
    this.end = end;
    this.rows = rows;
    this.facts = facts;
  }

  public static void main(String[] arguments) throws Exception {
    int seconds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 20;
    int rows = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 350;
    int facts = arguments.length > 3 ? Integer.parseInt(arguments[3]) : 1_000;
    switch (arguments[0]) {
      case "file" -> {
        Path directory = Files.createTempDirectory("handoff-bench");
        run(new StoreSettings.File(directory), seconds, rows, facts);
        System.out.printf("%d MiB on disk%n", size(directory) >> 20);
      }
      case "postgres" -> {
        try (var server = PostgresServer.start(PostgresServer.DURABLE)) {
          run(StoreHome.postgres(server.newDatabase()), seconds, rows, facts);
        }
      }
      default -> run(StoreHome.postgres(arguments[0]), seconds, rows, facts);
    }
    System.exit(0);
  }

  private static void run(StoreSettings.Kind kind, int seconds, int rows, int facts)
      throws Exception {
    var settings = new StoreSettings(kind, PARTITIONS, StoreSettings.Access.OWN, "the measurement");
    long start = System.nanoTime();
    try (Store store = StoreOpener.open(settings)) {
      System.out.printf("opened in %d ms%n", millis(System.nanoTime() - start));
      idle(store);
      long begin = System.nanoTime();
      long end = begin + Duration.ofSeconds(seconds).toNanos();
      var bench = new StoreBench(store, end, rows, facts);
      List<Long> batches = bench.all();
      double took = (System.nanoTime() - begin) / 1e9;
      System.out.printf(
          "%,.0f history rows/s, %,.0f facts/s, %,.0f batches/s; a batch takes %s%n",
          batches.size() * rows / took,
          (double) batches.size() * facts / took,
          batches.size() / took,
          quantiles(batches));
      replay(store);
    }
  }

  /// Latency of sequential small writes: the latency of a job without load.
  private static void idle(Store store) {
    PartitionOwner owner = PartitionOwner.of(store, 0);
    var taken = new ArrayList<Long>();
    for (int write = 0; write < 2_000; write++) {
      long before = System.nanoTime();
      owner.write();
      taken.add(System.nanoTime() - before);
    }
    System.out.printf("a single fact takes %s%n", quantiles(taken.subList(200, taken.size())));
  }

  private List<Long> all() throws Exception {
    var taken = new ArrayList<Long>();
    try (var threads = Executors.newFixedThreadPool(PARTITIONS)) {
      List<Callable<List<Long>>> partitions = new ArrayList<>();
      for (int partition = 0; partition < PARTITIONS; partition++) {
        int id = partition;
        partitions.add(() -> partition(id));
      }
      for (Future<List<Long>> one : threads.invokeAll(partitions)) {
        taken.addAll(one.get());
      }
    }
    return taken;
  }

  private List<Long> partition(int partition) {
    PartitionOwnership owner = get(store.takeOver(partition, "the measurement"));
    var random = new Random(partition);
    byte[] content = bytes(random, facts * FACT_BYTES);
    byte[] state = bytes(random, STATE_BYTES);
    var taken = new ArrayList<Long>();
    long seq = owner.seq();
    long logged = 0;
    while (System.nanoTime() < end) {
      seq++;
      var ended = LongStream.range(0, rows).mapToObj(row -> row(random, partition, state)).toList();
      var batch = new StoreBatch(partition, owner.incarnation(), seq, content, ended, List.of());
      long before = System.nanoTime();
      must(get(store.write(batch)));
      taken.add(System.nanoTime() - before);
      logged += content.length;
      if (logged > CHECKPOINT_AFTER) {
        logged = 0;
        checkpoint(owner, seq);
      }
    }
    return taken;
  }

  private void checkpoint(PartitionOwnership owner, long seq) {
    for (int chunk = 0; chunk < 8; chunk++) {
      must(
          get(
              store.writeChunk(
                  new CheckpointChunk(
                      owner.partition(),
                      owner.incarnation(),
                      seq,
                      chunk,
                      new byte[1 << 20],
                      chunk == 7))));
    }
    boolean more = true;
    while (more) {
      more = get(store.trim(owner.partition(), owner.incarnation(), 16));
    }
  }

  private static void must(WriteResult result) {
    if (!(result instanceof WriteResult.Written)) {
      throw new IllegalStateException(result.toString());
    }
  }

  private static HistoryRow row(Random random, int partition, byte[] state) {
    Instant now = Instant.now();
    return new HistoryRow(
        ulid(now.toEpochMilli() - random.nextInt(50), random, partition),
        "job",
        random.nextInt(50) == 0 ? "failed" : "succeeded",
        "thumbnail",
        "default",
        null,
        null,
        "",
        1,
        now,
        now,
        state);
  }

  private static String ulid(long millis, Random random, int partition) {
    var id = new char[26];
    long time = millis;
    for (int at = 9; at >= 0; at--) {
      id[at] = BASE_32.charAt((int) (time & 31));
      time >>= 5;
    }
    for (int at = 10; at < 25; at++) {
      id[at] = BASE_32.charAt(random.nextInt(32));
    }
    id[25] = BASE_32.charAt(partition);
    return new String(id);
  }

  private static byte[] bytes(Random random, int length) {
    var bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static void replay(Store store) {
    long before = System.nanoTime();
    long bytes =
        StoreReading.pages(store, 1).stream()
            .flatMap(page -> page.pieces().stream())
            .mapToLong(piece -> piece.bytes().length)
            .sum();
    double took = (System.nanoTime() - before) / 1e9;
    System.out.printf("replays %,.0f MiB/s%n", (bytes >> 20) / took);
    before = System.nanoTime();
    Map<String, Long> counts = get(store.historyCounts());
    System.out.printf("counts %s in %d ms%n", counts, millis(System.nanoTime() - before));
    before = System.nanoTime();
    int listed = get(store.list(HistoryQuery.newest(100))).size();
    System.out.printf("lists %d in %d ms%n", listed, millis(System.nanoTime() - before));
  }

  private static String quantiles(List<Long> nanos) {
    long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
    return Stream.of(50, 99)
            .map(q -> "p%d %.2f ms".formatted(q, sorted[sorted.length * q / 100] / 1e6))
            .toList()
        + " max %.1f ms".formatted(Arrays.stream(sorted).max().orElse(0) / 1e6);
  }

  private static long millis(long nanos) {
    return nanos / 1_000_000;
  }

  private static long size(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }
}
