package dev.handoff.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;

/// Durable no-op jobs per second: Handoff and db-scheduler on one PostgreSQL server in one run. All
/// contenders take turns, each round on a fresh database; the first round is a warm-up. A job
/// counts from its submission until its end is durable. The same number of rounds then measures the
/// start latency without other load. Two Handoff lanes each remove one difference: `alike` keeps no
/// history, like db-scheduler; `batch` submits in batches, as db-scheduler does in every lane.
///
/// With partition numbers as argument, it compares stores with these numbers instead.
final class DurableBench {

  private static final int DEFAULT_WORKERS = 128;
  private static final List<Integer> WORKERS = List.of(DEFAULT_WORKERS, 1_024, 4_096);
  private static final String PEER = "db-scheduler";
  private static final String FILE = "handoff file 128";
  private static final String ALIKE = "handoff 128 alike";
  private static final String BATCH = "handoff 128 batch";
  private static final Duration BETWEEN_STARTS = Duration.ofMillis(3);

  private final PostgresHost server;
  private final Map<String, JobContender.Opener> contenders = new LinkedHashMap<>();
  private final Map<String, List<RoundResult>> rounds = new LinkedHashMap<>();
  private final Map<String, long[]> latencies = new LinkedHashMap<>();

  private DurableBench(PostgresHost server) {
    this.server = server;
    contenders.put(PEER, () -> DbScheduler.open(server));
  }

  private void addLanes() {
    WORKERS.forEach(count -> put(name(count), LaneSettings.of(count)));
    put(ALIKE, LaneSettings.of(DEFAULT_WORKERS).withoutHistory());
    put(BATCH, LaneSettings.of(DEFAULT_WORKERS).withBatches());
    contenders.put(FILE, () -> HandoffContender.onFile(DEFAULT_WORKERS));
  }

  /// One lane per partition number and each of the two smaller worker numbers.
  private void addPartitions(String... numbers) {
    for (var number : numbers) {
      for (int workers : WORKERS.subList(0, 2)) {
        put(name(workers) + " in " + number, LaneSettings.of(workers).withPartitions(number));
      }
    }
  }

  private void put(String name, LaneSettings lane) {
    contenders.put(name, () -> HandoffContender.onPostgres(server, lane));
  }

  private static String name(int workers) {
    return "handoff " + workers;
  }

  static void run(BenchArguments arguments, BenchChecks checks) throws Exception {
    try (var server = PostgresHost.start()) {
      System.out.println("PostgreSQL: " + server.settings());
      System.out.printf(
          "%d CPUs, Java %s, heap %d MiB%n",
          Runtime.getRuntime().availableProcessors(),
          Runtime.version().feature(),
          Runtime.getRuntime().maxMemory() >> 20);
      var durable = new DurableBench(server);
      var partitions = arguments.word("partitions", "");
      if (partitions.isEmpty()) {
        durable.addLanes();
      } else {
        durable.addPartitions(partitions.split(","));
      }
      durable.measure(
          arguments.number("rounds", 3, 1),
          arguments.quick() ? 0 : 1,
          Duration.ofMillis(Math.round(1e3 * arguments.decimal("seconds", 5, 0.5))),
          arguments.number("starts", 250, 10));
      durable.check(checks);
      durable.print(partitions.isEmpty() ? durable::addRatios : durable::addPlainRatios);
    }
  }

  private void measure(int count, int warmUps, Duration time, int starts) throws Exception {
    for (int round = 1 - warmUps; round <= count; round++) {
      for (var contender : contenders.entrySet()) {
        var result = round(contender.getValue(), time);
        System.out.printf(
            "%s %-20s %s%n",
            round < 1 ? "warm-up" : "round " + round, contender.getKey(), RunReport.line(result));
        if (round > 0) {
          rounds.computeIfAbsent(contender.getKey(), name -> new ArrayList<>()).add(result);
        }
      }
    }
    for (int round = 0; round < count; round++) {
      for (var contender : contenders.entrySet()) {
        latencies.merge(
            contender.getKey(), starts(contender.getValue(), starts), DurableBench::sorted);
      }
    }
  }

  private static long[] sorted(long[] some, long[] more) {
    return LongStream.concat(Arrays.stream(some), Arrays.stream(more)).sorted().toArray();
  }

  private RoundResult round(JobContender.Opener opener, Duration time) throws Exception {
    var tally = new RunCounter();
    try (var contender = opener.open()) {
      var meter = new CpuMeter(server::cpu);
      contender.load(tally, time);
      var spent = meter.read();
      contender.stop();
      return new RoundResult(
          tally.submitted(), spent, contender.commits(tally), tally.lost(), tally.repeated());
    }
  }

  /// Measures start latency one job at a time; the first half is warm-up.
  private long[] starts(JobContender.Opener opener, int count) throws Exception {
    try (var contender = opener.open()) {
      var nanos = new long[2 * count];
      for (int i = 0; i < nanos.length; i++) {
        LockSupport.parkNanos(BETWEEN_STARTS.toNanos());
        nanos[i] = contender.startOne();
      }
      contender.stop();
      var counted = Arrays.copyOfRange(nanos, count, nanos.length);
      Arrays.sort(counted);
      return counted;
    }
  }

  /// Checks the promises. The history rows were counted earlier, in [JobContender#commits].
  private void check(BenchChecks checks) {
    rounds.forEach(
        (name, results) -> {
          if (!name.equals(PEER)) {
            checks.that(name + " runs jobs", results.stream().allMatch(one -> one.jobs() > 0));
            checks.that(
                name + " loses no job", results.stream().allMatch(one -> one.lost().isEmpty()));
            checks.that(
                name + " runs no job twice",
                results.stream().allMatch(one -> one.repeated().isEmpty()));
          }
        });
  }

  private void print(Consumer<RunReport> ratios) throws IOException {
    var report = new RunReport();
    rounds.forEach((name, results) -> report.add(name, results, latencies.get(name)));
    ratios.accept(report);
    report.print();
  }

  private void addPlainRatios(RunReport report) {
    rounds.keySet().stream()
        .filter(name -> !name.equals(PEER))
        .forEach(name -> report.ratio(name, rate(name) / rate(PEER)));
  }

  private void addRatios(RunReport report) {
    double peer = rate(PEER);
    double best = WORKERS.stream().mapToDouble(count -> rate(name(count))).max().orElseThrow();
    report.ratio("ratio_throughput", best / peer);
    report.ratio("ratio_default", rate(name(DEFAULT_WORKERS)) / peer);
    report.ratio("ratio_alike", rate(ALIKE) / peer);
    report.ratio("ratio_batch", rate(BATCH) / peer);
    report.ratio("ratio_file", rate(FILE) / peer);
    report.ratio(
        "ratio_p50",
        RunReport.quantile(latencies.get(name(DEFAULT_WORKERS)), 0.5)
            / RunReport.quantile(latencies.get(PEER), 0.5));
    report.ratio(
        "ratio_cpu",
        cpu(PEER) / WORKERS.stream().mapToDouble(count -> cpu(name(count))).min().orElseThrow());
  }

  /// Median over the rounds.
  private double rate(String name) {
    return RunReport.median(rounds.get(name), RoundResult::rate);
  }

  private double cpu(String name) {
    ToDoubleFunction<RoundResult> both = round -> round.cpuMicros() + round.serverMicros();
    return RunReport.median(rounds.get(name), both);
  }
}
