package dev.handoff.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.handoff.Handoff;
import dev.handoff.JobRequest;
import dev.handoff.Json;
import dev.handoff.Submission;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/// Child JVMs of [MemoryBench]: an engine on a file store with many queued jobs.
final class QueuedJobs {

  /// System property set by `--quick`.
  static final String QUICKLY = "handoff.bench.quick";

  private static final boolean QUICK = Boolean.getBoolean(QUICKLY);

  /// Number of queued jobs for comparison, and of claims per round.
  private static final int FEW = QUICK ? 100 : 1_000;

  private static final int WARM_UP_ROUNDS = QUICK ? 1 : 8;
  private static final int UNDER_WAY = 20_000;
  private static final int IDLE_SECONDS = QUICK ? 1 : 20;
  private static final int LARGE = 48;

  private static final String LONGEST_LOG =
      """
      SELECT max(bytes) FROM
        (SELECT sum(length(facts)) AS bytes FROM handoff_ledger GROUP BY partition)
      """;
  private static final String WITHOUT_CHECKPOINT =
      "SELECT count(*) FROM handoff_partition WHERE checkpoint = 0";

  private final Handoff handoff;
  private final ClaimBench claims = new ClaimBench();
  private int submitted;

  private QueuedJobs(Path directory, String checkpointAfter) {
    handoff =
        Handoff.builder()
            .directory(directory)
            .workers(1)
            .set("ledger.checkpoint-after", checkpointAfter)
            .handler("thumbnail", Json.class, (image, job) -> claims.ran())
            .start();
  }

  public static void main(String[] args) {
    long main = System.nanoTime();
    var directory = Path.of(args[1]);
    int code = 1;
    try {
      measure(args, directory, main);
      code = 0;
    } catch (Exception | Error failure) {
      failure.printStackTrace();
    }
    // Halts without closing the engine, so that the next child recovers from a crash.
    Runtime.getRuntime().halt(code);
  }

  private static void measure(String[] args, Path directory, long main) throws Exception {
    switch (args[0]) {
      case "fill" -> fill(directory, Integer.parseInt(args[2]));
      case "heap" -> heap(directory, Integer.parseInt(args[2]), Boolean.parseBoolean(args[3]));
      case "restart" -> restart(directory, Integer.parseInt(args[2]), main);
      case "checkpoint" -> checkpoint(directory, Integer.parseInt(args[2]));
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  /// Measures everything except the restart. No checkpoint is written, so the first restart replays
  /// only the log.
  private static void fill(Path directory, int jobs) throws Exception {
    var engine = new QueuedJobs(directory, "1GiB");
    tellClaims("few", engine.claimsOfFew());
    long before = used();
    BenchProcess.tell("idle", engine.idle());
    engine.submit(jobs, false);
    BenchProcess.tell("heap", (used() - before) / (double) jobs);
    BenchProcess.tell("idle_full", engine.idle());
    engine.claims.measure(FEW);
    tellClaims("many", engine.claims.measure(2 * FEW));
    engine.tellLeft(0);
  }

  private static void heap(Path directory, int jobs, boolean keys) throws Exception {
    var engine = new QueuedJobs(directory, "1GiB");
    engine.claimsOfFew();
    long before = used();
    engine.submit(jobs, keys);
    BenchProcess.tell("heap", (used() - before) / (double) jobs);
  }

  /// @param jobs number of jobs left by the previous child
  private static void restart(Path directory, int jobs, long main) throws InterruptedException {
    var engine = new QueuedJobs(directory, "1GiB");
    BenchProcess.tell("started", (System.nanoTime() - main) / 1e9);
    engine.claims.awaitFirst();
    BenchProcess.tell("ready", (System.nanoTime() - main) / 1e9);
    engine.awaitRest(jobs);
    BenchProcess.tell("back", engine.live());
  }

  /// Measures claims during checkpoints. After recovery, the log is slightly below the checkpoint
  /// threshold; a few large jobs, never claimed, then trigger the checkpoints of all partitions
  /// together.
  private static void checkpoint(Path directory, int jobs) throws Exception {
    try (var place = BenchDirectory.fresh()) {
      tellClaims("few", new QueuedJobs(place.directory(), "1GiB").claimsOfFew());
    }
    var database = "jdbc:sqlite:" + directory.resolve("handoff.db");
    long due = PostgresHost.number(database, LONGEST_LOG) + (1 << 20);
    var engine = new QueuedJobs(directory, due + "B");
    engine.claims.awaitFirst();
    engine.awaitRest(jobs - 5 * FEW);
    engine.claims.measure(FEW);
    tellClaims("before", engine.claims.measure(FEW));
    long start = System.nanoTime();
    engine.submitLarge();
    var during = new ArrayList<long[]>();
    do {
      during.add(engine.claims.measure(FEW / 20));
    } while (PostgresHost.number(database, WITHOUT_CHECKPOINT) > 0);
    BenchProcess.tell("checkpoint_seconds", (System.nanoTime() - start) / 1e9);
    tellClaims("checkpoint", during.stream().flatMapToLong(Arrays::stream).sorted().toArray());
    tellClaims("after", engine.claims.measure(FEW));
    engine.tellLeft(jobs);
  }

  /// Waits for all jobs: the first job may run before all partitions have reported to their
  /// dispatchers.
  private void awaitRest(long jobs) {
    PollingWait.until(() -> live() >= jobs);
  }

  /// Reports the number of remaining jobs when every end is durable.
  ///
  /// @param before number of jobs at the start
  private void tellLeft(int before) {
    int left = before + submitted - claims.endings();
    PollingWait.until(() -> live() == left);
    BenchProcess.tell("left", left);
  }

  /// Number of unfinished jobs.
  private long live() {
    return handoff.queues().list().toCompletableFuture().join().stream()
        .mapToLong(queue -> queue.queued() + queue.scheduled() + queue.running())
        .sum();
  }

  private void submitLarge() {
    var payload = Json.of("\"" + "x".repeat(200_000) + "\"");
    for (int i = 0; i < LARGE; i++) {
      handoff.submit(JobRequest.of("thumbnail", payload).delay(Duration.ofDays(1)));
    }
    submitted += LARGE;
  }

  /// Last of several rounds, after a warm-up.
  private long[] claimsOfFew() throws InterruptedException {
    submit(1, false);
    claims.awaitFirst();
    for (int i = 0; i < WARM_UP_ROUNDS; i++) {
      submit(FEW, false);
      claims.measure(FEW);
    }
    submit(FEW, false);
    return claims.measure(FEW);
  }

  private static void tellClaims(String name, long[] sorted) {
    BenchProcess.tell(name + "_p50", ClaimBench.millis(sorted, 0.5));
    BenchProcess.tell(name + "_p99", ClaimBench.millis(sorted, 0.99));
    BenchProcess.tell(name + "_max", ClaimBench.millis(sorted, 1));
  }

  /// Submits jobs and returns when all are durable.
  private void submit(int jobs, boolean keys) throws InterruptedException {
    var room = new Semaphore(UNDER_WAY);
    var refusal = new AtomicReference<String>();
    for (int i = 0; i < jobs; i++) {
      room.acquire();
      var number = submitted++;
      var request = JobRequest.of("thumbnail", payload(number));
      handoff
          .submit(keys ? request.key("key-%012d".formatted(number)) : request)
          .whenComplete(
              (submission, failure) -> {
                if (!(submission instanceof Submission.Accepted)) {
                  refusal.compareAndSet(null, failure + " " + submission);
                }
                room.release();
              });
    }
    room.acquire(UNDER_WAY);
    if (refusal.get() != null) {
      throw new IllegalStateException("a submission was answered with " + refusal.get());
    }
  }

  /// Payload of 100 bytes.
  private static Json payload(int number) {
    return Json.of(String.format(Locale.ROOT, "{\"file\":\"%089d\"}", number));
  }

  /// CPU share of an idle engine, in percent of one CPU.
  private double idle() {
    var process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    LockSupport.parkNanos(3_000_000_000L);
    long wall = System.nanoTime();
    long cpu = process.getProcessCpuTime();
    LockSupport.parkNanos(IDLE_SECONDS * 1_000_000_000L);
    return 100.0 * (process.getProcessCpuTime() - cpu) / (System.nanoTime() - wall);
  }

  /// Reachable heap in bytes.
  private static long used() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      System.gc();
      LockSupport.parkNanos(200_000_000L);
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least;
  }
}
