package dev.handoff.bench;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/// What many queued jobs with a payload of 100 bytes cost: heap, the time to claim one, CPU while
/// nothing happens, and the time until an engine that was killed is ready again.
final class Memory {

  private static final int HALF_A_MILLION = 500_000;
  private static final int RESTARTS = 3;
  private static final String COMPACT = "-XX:+UseCompactObjectHeaders";

  private Memory() {}

  static boolean run(Arguments arguments) throws Exception {
    int jobs = arguments.number("jobs", HALF_A_MILLION);
    boolean few = jobs <= HALF_A_MILLION;
    var restartHeap = few ? "-Xmx1g" : "-Xmx3g";
    double longestStart = few ? 8 : 15;
    var limits = new Limits();
    System.out.printf("%,d queued jobs, Java %s%n", jobs, Runtime.version().feature());
    try (var place = Place.fresh()) {
      var directory = place.directory();
      var fill = Child.run(Queued.class, List.of(roomFor(jobs)), "fill", directory, jobs);
      limits.add("heap_kib", "heap per job", fill.get("heap") / 1024, "KiB", 1.6);
      heapWith(limits, jobs, true);
      heapWith(limits, jobs, false);
      limits.add("idle_percent", "CPU, nothing queued", fill.get("idle"), "%", 1);
      limits.add("idle_full_percent", "CPU, all of them queued", fill.get("idle_full"), "%", 1);
      restarts(
          limits, "ready", "from the log, " + restartHeap, directory, restartHeap, longestStart);
      var checkpoint =
          Child.run(Queued.class, List.of(roomFor(jobs)), "checkpoint", directory, jobs);
      claims(limits, fill, checkpoint);
      restarts(
          limits,
          "ready_checkpoint",
          "from a checkpoint, " + restartHeap,
          directory,
          restartHeap,
          longestStart);
    }
    return limits.print();
  }

  private static String roomFor(int jobs) {
    return "-Xmx" + (1_024 + jobs / 1_000 * 3) + "m";
  }

  /// With the smaller headers of newer JDKs, and with a key each.
  private static void heapWith(Limits limits, int jobs, boolean compact) throws Exception {
    if (compact && Runtime.version().feature() < 25) {
      return;
    }
    var options = compact ? List.of(roomFor(jobs), COMPACT) : List.of(roomFor(jobs));
    try (var place = Place.fresh()) {
      double heap =
          Child.run(Queued.class, options, "heap", place.directory(), jobs, !compact).get("heap");
      if (compact) {
        limits.add(
            "heap_compact_kib", "heap per job, compact object headers", heap / 1024, "KiB", 1.4);
      } else {
        limits.add("heap_keys_kib", "heap per job, each with a key", heap / 1024, "KiB", 1.6);
      }
    }
  }

  private static void claims(Limits limits, Child.Figures fill, Child.Figures checkpoint) {
    double few = claims(limits, "claim_few", "claim, 1,000 queued", fill, "few", 0);
    claims(limits, "claim_many", "claim, all queued", fill, "many", 2 * few);
    double warm =
        claims(limits, "claim_warm", "claim, 1,000 queued, second JVM", checkpoint, "few", 0);
    claims(limits, "claim_again", "claim, all queued, just restarted", checkpoint, "before", 0);
    claims(
        limits,
        "claim_checkpoint",
        "claim, while checkpoints are written",
        checkpoint,
        "checkpoint",
        2 * warm);
    claims(limits, "claim_trim", "claim, while old log is deleted", checkpoint, "after", 2 * warm);
    limits.add("checkpoint_s", "the checkpoints took", checkpoint.get("checkpoint_seconds"), "s");
  }

  /// @param most the limit of the p99; 0 = none
  private static double claims(
      Limits limits, String name, String words, Child.Figures figures, String phase, double most) {
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

  private static void restarts(
      Limits limits, String name, String words, Path directory, String heap, double most)
      throws Exception {
    var ready = new double[RESTARTS];
    for (int i = 0; i < RESTARTS; i++) {
      ready[i] =
          Child.run(Queued.class, List.of(heap), "restart", directory).seconds().get("ready");
    }
    Arrays.sort(ready);
    limits.add(
        name + "_s", "killed -> first job runs again " + words, ready[RESTARTS / 2], "s", most);
  }
}
