package dev.handoff.bench;

import java.nio.file.Path;
import java.sql.SQLException;
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
      var checkpoint = Child.run(Queued.class, List.of(roomFor(jobs)), "checkpoint", directory);
      claims(limits, fill, checkpoint);
      limits.add("checkpoints", "partitions with a checkpoint", checkpoints(directory), "");
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
        limits.add("heap_keys_kib", "heap per job, each with a key", heap / 1024, "KiB");
      }
    }
  }

  private static void claims(Limits limits, Child.Figures fill, Child.Figures checkpoint) {
    double few = fill.get("few_p99");
    limits.add("claim_few_p99_ms", "claim p99, 1,000 queued", few, "ms");
    limits.add("claim_many_p99_ms", "claim p99, all queued", fill.get("many_p99"), "ms", 2 * few);
    double warm = checkpoint.get("few_p99");
    limits.add("claim_warm_p99_ms", "claim p99, 1,000 queued, second JVM", warm, "ms");
    limits.add(
        "claim_checkpoint_p99_ms",
        "claim p99, all queued, while a checkpoint is written",
        checkpoint.get("checkpoint_p99"),
        "ms",
        2 * warm);
    for (var name : List.of("few", "many")) {
      limits.add("claim_" + name + "_p50_ms", "  p50, " + name, fill.get(name + "_p50"), "ms");
      limits.add("claim_" + name + "_max_ms", "  max, " + name, fill.get(name + "_max"), "ms");
    }
    limits.add(
        "claim_checkpoint_p50_ms", "  p50, checkpoint", checkpoint.get("checkpoint_p50"), "ms");
    limits.add(
        "claim_checkpoint_max_ms", "  max, checkpoint", checkpoint.get("checkpoint_max"), "ms");
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

  private static double checkpoints(Path directory) throws SQLException {
    return Server.number(
        "jdbc:sqlite:" + directory.resolve("handoff.db"),
        "SELECT count(*) FROM handoff_partition WHERE checkpoint > 0");
  }
}
