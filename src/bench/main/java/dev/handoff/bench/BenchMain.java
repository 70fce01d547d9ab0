package dev.handoff.bench;

import java.util.Map;
import java.util.TreeMap;

/// Entry point of `./sbt "bench durable"` and the other benchmarks. Each prints its steps, a table
/// and one line of JSON; a missed limit or broken promise gives exit code 1. `--quick` takes
/// seconds, checks only promises and prints a tally: `12 passed, 0 failed`. `./sbt "bench all
/// --quick"` runs all benchmarks.
public final class BenchMain {

  /// @param words description and arguments
  private record Entry(String words, Measurement measurement) {}

  private interface Measurement {
    void run(BenchArguments arguments, BenchChecks checks) throws Exception;
  }

  private static final Map<String, Entry> ALL =
      new TreeMap<>(
          Map.of(
              "breaker",
              new Entry(
                  "breakers beside resilience4j, Failsafe and Pekko's: speed, four races"
                      + " [rounds=5] [seconds=1]",
                  BreakerBench::run),
              "context",
              new Entry(
                  "how well contexts are found, and how fast [files=5000] [show=STRATEGY]",
                  ContextBench::run),
              "durable",
              new Entry(
                  "durable no-op jobs a second beside db-scheduler [rounds=3] [seconds=5]"
                      + " [starts=250] [partitions=2,4,8,16]",
                  DurableBench::run),
              "plans",
              new Entry(
                  "changes recorded a second, differences, plans a second [callers=1024]"
                      + " [rounds=5] [seconds=4]",
                  PlansBench::run),
              "profile",
              new Entry(
                  "where the CPU of a durable no-op job goes [workers=128]", ProfileBench::run),
              "start",
              new Entry("how long an engine takes to start [rounds=7]", StartBench::run),
              "memory",
              new Entry(
                  "many queued jobs: heap, claims, idle CPU, restart [jobs=500000] [keys=false]",
                  MemoryBench::run),
              "size",
              new Entry(
                  "the store's size on disk [store=file|postgres] [load=full|slow] [minutes=10]"
                      + " [live=100000]",
                  StoreSizeBench::run)));

  private static final String EVERYTHING = "all";

  private BenchMain() {}

  public static void main(String... words) throws Exception {
    var entry = words.length == 0 ? null : ALL.get(words[0]);
    if (words.length > 0 && words[0].equals(EVERYTHING)) {
      System.exit(run(ALL, BenchArguments.of(words)) ? 0 : 1);
    }
    if (entry == null) {
      System.err.println("what to measure, and what it can be told (see docs/benchmarks.md):");
      ALL.forEach((name, known) -> System.err.printf("  %-8s %s%n", name, known.words()));
      System.err.println(
          "  all      all of them; --quick: seconds each, for promises and not for speeds");
      System.exit(2);
      return;
    }
    System.exit(run(Map.of(words[0], entry), BenchArguments.of(words)) ? 0 : 1);
  }

  private static boolean run(Map<String, Entry> chosen, BenchArguments arguments) {
    var all = new BenchChecks("all");
    chosen.forEach((name, entry) -> all.add(run(name, entry, arguments)));
    if (arguments.quick()) {
      if (!all.failures().isEmpty()) {
        System.out.println("failed tests:");
        all.failures().forEach(System.out::println);
      }
      System.out.println(all.tally());
    }
    return all.failures().isEmpty();
  }

  private static BenchChecks run(String name, Entry entry, BenchArguments arguments) {
    var checks = new BenchChecks(name);
    long began = System.nanoTime();
    try {
      entry.measurement().run(arguments, checks);
    } catch (Exception | Error failure) {
      failure.printStackTrace();
      checks.failed(failure);
    }
    if (arguments.quick()) {
      System.out.printf(
          "-- %s: %s, %d s%n", name, checks.tally(), (System.nanoTime() - began) / 1_000_000_000);
    }
    return checks;
  }
}
