package dev.handoff.bench;

import dev.handoff.Handoff;
import dev.handoff.JobRequest;
import dev.handoff.Json;
import dev.handoff.StoreSettings;
import dev.handoff.internal.engine.FactFolding;
import dev.handoff.internal.ledger.LedgerReader;
import dev.handoff.internal.store.open.StoreOpener;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/// Size of a store on disk under load, relative to its live data. Some jobs stay queued; others
/// pass through, either at full load or so slowly that the store commits about a hundred times per
/// second.
final class StoreSizeBench {

  private static final int WAITING = 20_000;

  /// A single job needs three commits.
  private static final Duration BETWEEN_SLOW_JOBS = Duration.ofMillis(30);

  private final Handoff handoff;
  private final LongAdder done = new LongAdder();
  private final Semaphore room = new Semaphore(WAITING);
  private final AtomicBoolean over = new AtomicBoolean();

  private StoreSizeBench(MeasuredStore disk) {
    handoff =
        disk.under(Handoff.builder()).handler("noop", Json.class, (payload, job) -> ran()).start();
  }

  static void run(BenchArguments arguments, BenchChecks checks) throws Exception {
    if (arguments.quick() && arguments.word("store", "").isEmpty()) {
      run("file", arguments, checks);
      run("postgres", arguments, checks);
    } else {
      run(arguments.word("store", "file"), arguments, checks);
    }
  }

  private static void run(String store, BenchArguments arguments, BenchChecks checks)
      throws Exception {
    boolean full = arguments.word("load", "full").equals("full");
    int seconds = (int) Math.round(60 * arguments.decimal("minutes", 10, 0.05));
    int live = arguments.number("live", 100_000, 2_000);
    System.out.printf(
        "%s, %s load, %d s, %,d jobs wait%n", store, full ? "full" : "slow", seconds, live);
    try (MeasuredStore disk = store.equals("postgres") ? PostgresDisk.open() : FileDisk.open()) {
      var load = new StoreSizeBench(disk);
      load.submitWaiting(live);
      load.run(full, seconds, disk);
      checks.that("jobs run beside those that wait", load.done.sum() > 0);
      var limits = new FigureTable(arguments, checks);
      report(load.done.sum(), seconds, liveBytes(disk), disk.taken(), limits);
    }
  }

  private static void report(
      long jobs, int seconds, long live, MeasuredStore.Taken taken, FigureTable limits)
      throws Exception {
    limits.add("jobs_s", "jobs", jobs / (double) seconds, "/s");
    limits.add("commits_s", "commits", taken.batches() / (double) seconds, "/s");
    limits.add("live_mb", "live data", megabytes(live), "MB");
    limits.add("history_mb", "history", megabytes(taken.history()), "MB");
    double most = 4 * megabytes(live) + 256;
    limits.addSize("aside_mb", "everything but history", megabytes(taken.aside()), "MB", most);
    taken.parts().entrySet().stream()
        .filter(part -> part.getValue() > 1_000_000)
        .forEach(
            part ->
                limits.add(
                    part.getKey() + "_mb", "  " + part.getKey(), megabytes(part.getValue()), "MB"));
    limits.print();
  }

  private static double megabytes(long bytes) {
    return bytes / 1e6;
  }

  private Object ran() {
    done.increment();
    room.release();
    return null;
  }

  private void submitWaiting(int count) throws InterruptedException {
    for (int i = 0; i < count; i++) {
      room.acquire();
      handoff
          .submit(JobRequest.of("noop", payload(i)).delay(Duration.ofDays(1)))
          .thenRun(room::release);
    }
    room.acquire(WAITING);
    room.release(WAITING);
  }

  /// Payload of 100 bytes.
  private static Json payload(int number) {
    return Json.of("{\"file\":\"%089d\"}".formatted(number));
  }

  private void run(boolean full, int seconds, MeasuredStore disk) throws Exception {
    try (var threads = Executors.newScheduledThreadPool(1)) {
      if (full) {
        threads.execute(this::submitAll);
      } else {
        long pause = BETWEEN_SLOW_JOBS.toNanos();
        threads.scheduleWithFixedDelay(this::submitOne, 0, pause, TimeUnit.NANOSECONDS);
      }
      // Counts pauses instead of elapsed time: a suspended process also suspends its load.
      for (int i = 0; i < seconds; i++) {
        LockSupport.parkNanos(1_000_000_000L);
        disk.look();
      }
      over.set(true);
      threads.shutdownNow();
    }
    handoff.close();
  }

  private void submitAll() {
    while (!over.get() && room.tryAcquire()) {
      handoff.submit(JobRequest.of("noop", payload(0)));
      while (!over.get() && room.availablePermits() == 0) {
        LockSupport.parkNanos(1_000_000L);
      }
    }
  }

  private void submitOne() {
    if (room.tryAcquire()) {
      handoff.submit(JobRequest.of("noop", payload(0)));
    }
  }

  /// Size of the live data in checkpoint encoding.
  private static long liveBytes(MeasuredStore disk) {
    var codec = FactFolding.codec();
    long bytes = 0;
    try (var store =
        StoreOpener.open(
            new StoreSettings(disk.kind(), 0, StoreSettings.Access.READ, "benchmark"))) {
      var reader = new LedgerReader(store, codec, FactFolding::fold);
      for (int partition = 0; partition < store.info().partitions(); partition++) {
        for (var state : reader.read(partition)) {
          bytes += codec.encodeState(state).length;
        }
      }
    }
    return bytes;
  }
}
