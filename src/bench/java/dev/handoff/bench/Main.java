package dev.handoff.bench;

import java.util.Map;
import java.util.TreeMap;

/// `./sbt "bench durable"` and its siblings. Each prints what it does, a table, and one line of
/// JSON, and ends with exit code 1 if it has missed a limit.
public final class Main {

  /// @param words what it measures, and what it can be told
  private record Entry(String words, Measurement measurement) {}

  private interface Measurement {
    /// Whether all limits were kept.
    boolean run(Arguments arguments) throws Exception;
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
                      + " [starts=250]",
                  arguments -> {
                    Durable.run(arguments);
                    return true;
                  }),
              "plans",
              new Entry(
                  "changes recorded a second, differences, plans a second [callers=1024]"
                      + " [rounds=5] [seconds=4]",
                  PlansBench::run),
              "profile",
              new Entry("where the CPU of a durable no-op job goes [workers=128]", Profile::run),
              "start",
              new Entry("how long an engine takes to start [rounds=7]", Start::run),
              "memory",
              new Entry(
                  "many queued jobs: heap, claims, idle CPU, restart [jobs=500000] [keys=false]",
                  Memory::run),
              "size",
              new Entry(
                  "the store's size on disk [store=file|postgres] [load=full|slow] [minutes=10]"
                      + " [live=100000]",
                  Size::run)));

  private Main() {}

  public static void main(String... words) throws Exception {
    var entry = words.length == 0 ? null : ALL.get(words[0]);
    if (entry == null) {
      System.err.println("what to measure, and what it can be told (see docs/benchmarks.md):");
      ALL.forEach((name, known) -> System.err.printf("  %-8s %s%n", name, known.words()));
      System.exit(2);
      return;
    }
    System.exit(entry.measurement().run(Arguments.of(words)) ? 0 : 1);
  }
}
