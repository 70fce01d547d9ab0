package dev.handoff.bench;

import dev.handoff.Handoff;
import dev.handoff.JobRequest;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/// Start time: from a fresh JVM until its embedded engine, on a new file store, has durably
/// accepted its first job. Median of several runs.
final class StartBench {

  private static final double LONGEST = 1.5;

  private StartBench() {}

  static void run(BenchArguments arguments, BenchChecks checks) throws Exception {
    int rounds = arguments.number("rounds", 7, 1);
    var started = new double[rounds];
    var accepted = new double[rounds];
    var sinceJvm = new double[rounds];
    var again = new double[rounds];
    var list = new double[rounds];
    for (int i = 0; i < rounds; i++) {
      try (var place = BenchDirectory.fresh()) {
        var first = BenchProcess.run(Embedded.class, List.of(), place.directory());
        started[i] = first.get("started");
        accepted[i] = first.get("accepted");
        sinceJvm[i] = first.seconds().get("accepted");
        again[i] = BenchProcess.run(Embedded.class, List.of(), place.directory()).get("accepted");
        list[i] = list(place.directory());
      }
    }
    checks.that("each of %d engines has accepted a job".formatted(2 * rounds), true);
    var limits = new FigureTable(arguments, checks);
    limits.add("start_s", "main -> engine started, empty store", median(started), "s", LONGEST);
    limits.add("accepted_s", "main -> first job accepted", median(accepted), "s", LONGEST);
    limits.add(
        "accepted_since_jvm_s", "process start -> first job accepted", median(sinceJvm), "s");
    limits.add("accepted_again_s", "main -> accepted, store that is there", median(again), "s");
    limits.add("list_s", "`handoff list`, process start -> exit", median(list), "s");
    limits.print();
  }

  private static double list(Path directory) throws Exception {
    return BenchProcess.run(dev.handoff.cli.Main.class, List.of(), "list", "--data", directory)
        .seconds()
        .get("exit");
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }

  /// Child: an application with an embedded engine.
  static final class Embedded {
    public static void main(String[] args) {
      long main = System.nanoTime();
      try (var handoff =
          Handoff.builder()
              .directory(Path.of(args[0]))
              .handler("noop", Integer.class, (number, job) -> null)
              .start()) {
        BenchProcess.tell("started", (System.nanoTime() - main) / 1e9);
        handoff.submitOrThrow(JobRequest.of("noop", 1));
        BenchProcess.tell("accepted", (System.nanoTime() - main) / 1e9);
      }
    }
  }
}
