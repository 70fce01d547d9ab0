package dev.handoff.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Cost of many queued jobs with a payload of 100 bytes: heap, claim latency, idle CPU, and
/// recovery time of a killed engine.
final class MemoryBench {

  private static final int HALF_A_MILLION = 500_000;
  private static final String COMPACT = "-XX:+UseCompactObjectHeaders";

  private final boolean quick;
  private final FigureTable limits;
  private final BenchChecks checks;

  private MemoryBench(BenchArguments arguments, BenchChecks checks) {
    this.quick = arguments.quick();
    this.limits = new FigureTable(arguments, checks);
    this.checks = checks;
  }

  static void run(BenchArguments arguments, BenchChecks checks) throws Exception {
    new MemoryBench(arguments, checks).run(arguments.number("jobs", HALF_A_MILLION, 10_000));
  }

  private void run(int jobs) throws Exception {
    boolean few = jobs <= HALF_A_MILLION;
    var restartHeap = few ? "-Xmx1g" : "-Xmx3g";
    double longestStart = few ? 8 : 15;
    System.out.printf("%,d queued jobs, Java %s%n", jobs, Runtime.version().feature());
    try (var place = BenchDirectory.fresh()) {
      var directory = place.directory();
      var fill =
          BenchProcess.run(QueuedJobs.class, options(roomFor(jobs)), "fill", directory, jobs);
      limits.addSize("heap_kib", "heap per job", fill.get("heap") / 1024, "KiB", 1.6);
      heapWith(jobs, true);
      heapWith(jobs, false);
      limits.add("idle_percent", "CPU, nothing queued", fill.get("idle"), "%", 1);
      limits.add("idle_full_percent", "CPU, all of them queued", fill.get("idle_full"), "%", 1);
      restarts("ready", "from the log, " + restartHeap, directory, fill, restartHeap, longestStart);
      var checkpoint =
          BenchProcess.run(
              QueuedJobs.class,
              options(roomFor(jobs)),
              "checkpoint",
              directory,
              (int) fill.get("left"));
      claims(fill, checkpoint);
      restarts(
          "ready_checkpoint",
          "from a checkpoint, " + restartHeap,
          directory,
          checkpoint,
          restartHeap,
          longestStart);
    }
    limits.print();
  }

  private static String roomFor(int jobs) {
    return "-Xmx" + (1_024 + jobs / 1_000 * 3) + "m";
  }

  /// Heap with the compact object headers of newer JDKs, or with a key per job.
  private void heapWith(int jobs, boolean compact) throws Exception {
    if (compact && (quick || Runtime.version().feature() < 25)) {
      return;
    }
    var options = compact ? options(roomFor(jobs), COMPACT) : options(roomFor(jobs));
    try (var place = BenchDirectory.fresh()) {
      double heap =
          BenchProcess.run(QueuedJobs.class, options, "heap", place.directory(), jobs, !compact)
              .get("heap");
      if (compact) {
        limits.addSize(
            "heap_compact_kib", "heap per job, compact object headers", heap / 1024, "KiB", 1.4);
      } else {
        limits.addSize("heap_keys_kib", "heap per job, each with a key", heap / 1024, "KiB", 1.6);
      }
    }
  }

  private void claims(BenchProcess.Figures fill, BenchProcess.Figures checkpoint) {
    double few = claims("claim_few", "claim, 1,000 queued", fill, "few", 0);
    claims("claim_many", "claim, all queued", fill, "many", 2 * few);
    double warm = claims("claim_warm", "claim, 1,000 queued, second JVM", checkpoint, "few", 0);
    claims("claim_again", "claim, all queued, just restarted", checkpoint, "before", 0);
    claims(
        "claim_checkpoint",
        "claim, while checkpoints are written",
        checkpoint,
        "checkpoint",
        2 * warm);
    claims("claim_trim", "claim, while old log is deleted", checkpoint, "after", 2 * warm);
    limits.add("checkpoint_s", "the checkpoints took", checkpoint.get("checkpoint_seconds"), "s");
  }

  /// @param most limit of the p99; 0 = none
  private double claims(
      String name, String words, BenchProcess.Figures figures, String phase, double most) {
    double p99 = figures.get(phase + "_p99");
    var shown =
        "%s: p99 (p50 %.2f, max %.1f)"
            .formatted(words, figures.get(phase + "_p50"), figures.get(phase + "_max"));
    if (most == 0) {
      limits.add(name + "_p99_ms", shown, p99, "ms");
    } else {
      limits.add(name + "_p99_ms", shown, p99, "ms", most);
    }
    return p99;
  }

  /// @param before figures of the child that filled the store
  private void restarts(
      String name,
      String words,
      Path directory,
      BenchProcess.Figures before,
      String heap,
      double most)
      throws Exception {
    var ready = new double[quick ? 1 : 3];
    int jobs = (int) before.get("left");
    for (int i = 0; i < ready.length; i++) {
      var restart = BenchProcess.run(QueuedJobs.class, options(heap), "restart", directory, jobs);
      checks.that("every queued job is back, " + words, restart.get("back") == jobs);
      ready[i] = restart.seconds().get("ready");
    }
    Arrays.sort(ready);
    limits.add(
        name + "_s", "killed -> first job runs again " + words, ready[ready.length / 2], "s", most);
  }

  private List<String> options(String... options) {
    var all = new ArrayList<>(List.of(options));
    if (quick) {
      all.add("-D" + QueuedJobs.QUICKLY + "=true");
    }
    return all;
  }
}
