package dev.handoff.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.pekko.actor.ActorSystem;

/// Compares circuit breakers: pairs of permit request and report per second from 64 callers, in
/// alternating rounds, and four race conditions.
final class BreakerBench {

  static final int THREADS = 64;
  static final int FAILURES = 500;

  /// Configuration equal to an actor system created by the engine.
  static final Config SYSTEM =
      ConfigFactory.parseString(
              """
              pekko {
                loglevel = "WARNING"
                jvm-shutdown-hooks = off
                log-dead-letters = off
                actor.default-dispatcher {
                  throughput = 64
                  fork-join-executor { parallelism-min = 2, minimum-runnable = -1 }
                }
              }
              """)
          .withFallback(ConfigFactory.load());

  private static final double LEAST = 100_000;
  private static final ObjectNode JSON = JsonNodeFactory.instance.objectNode();

  private BreakerBench() {}

  static void run(BenchArguments arguments, BenchChecks checks) throws Exception {
    int rounds = arguments.number("rounds", 5, 1);
    var time = Duration.ofMillis(Math.round(1e3 * arguments.decimal("seconds", 1, 0.1)));
    var pekko = ActorSystem.create("pekko", SYSTEM);
    var guards =
        List.of(
            new OurGuard(OurGuard.Pair.ASKED),
            new OurGuard(OurGuard.Pair.HEARD),
            new OurGuard(OurGuard.Pair.CALLED),
            new ResilienceGuard(),
            new FailsafeGuard(),
            new PekkoGuard(pekko));
    try {
      double awaited = speed(guards, rounds, time);
      if (!arguments.quick()) {
        boolean kept = awaited >= LEAST;
        System.out.printf(
            "at least %,.0f a second, with both awaited: %s%n", LEAST, kept ? "kept" : "MISSED");
        checks.that("it takes %,.0f pairs a second".formatted(LEAST), kept);
      }
      System.out.println();
      races(Stream.concat(guards.stream().limit(1), guards.stream().skip(3)).toList(), checks);
      System.out.println(new ObjectMapper().writeValueAsString(JSON));
    } finally {
      guards.forEach(BreakerRaces::close);
      pekko.terminate();
    }
  }

  /// @return pairs per second of Handoff's breaker, with both answers awaited
  private static double speed(List<BreakerRaces> guards, int rounds, Duration time)
      throws Exception {
    System.out.printf(
        "%d callers on virtual threads, %d rounds of %d ms each, taking turns%n",
        THREADS, rounds, time.toMillis());
    Map<BreakerRaces, List<Double>> rates = new LinkedHashMap<>();
    guards.forEach(guard -> rates.put(guard, new ArrayList<>()));
    for (int round = -1; round < rounds; round++) {
      for (var guard : guards) {
        double rate = rate(guard, time);
        if (round >= 0) {
          rates.get(guard).add(rate);
        }
      }
    }
    double ours = median(rates.get(guards.getFirst()));
    System.out.printf("| %-22s | %14s | %9s |%n|---|---|---|%n", "", "pairs a second", "ours / it");
    rates.forEach(
        (guard, all) ->
            System.out.printf(
                "| %-22s | %,14.0f | %9.3f |%n", guard.name(), median(all), ours / median(all)));
    rates.forEach((guard, all) -> JSON.put(guard.name(), Math.round(median(all))));
    return median(rates.get(guards.get(1)));
  }

  private static double rate(BreakerRaces guard, Duration time) throws InterruptedException {
    var done = new LongAdder();
    long began = System.nanoTime();
    long end = began + time.toNanos();
    var callers = new Thread[THREADS];
    for (int i = 0; i < THREADS; i++) {
      callers[i] =
          Thread.ofVirtual()
              .start(
                  () -> {
                    long pairs = 0;
                    while (System.nanoTime() < end) {
                      guard.pair();
                      pairs++;
                      if (pairs % 64 == 0) {
                        Thread.yield();
                      }
                    }
                    done.add(pairs);
                  });
    }
    for (var caller : callers) {
      caller.join();
    }
    return done.sum() / ((System.nanoTime() - began) / 1e9);
  }

  private static double median(List<Double> rates) {
    var sorted = rates.stream().mapToDouble(rate -> rate).sorted().toArray();
    return Arrays.stream(sorted).skip(sorted.length / 2).findFirst().orElseThrow();
  }

  private static void races(List<BreakerRaces> guards, BenchChecks checks) {
    race(
        "1  a success from before arrives during a trial",
        guards,
        checks,
        BreakerRaces::lateSuccess);
    race("2  a trial that hangs blocks it", guards, checks, BreakerRaces::hungTrial);
    race("3  a body that timed out runs on", guards, checks, BreakerRaces::runsOn);
    race(
        "4  a count is lost: " + THREADS + " threads, " + FAILURES + " failures each",
        guards,
        checks,
        guard -> guard.lostCount(THREADS, FAILURES));
  }

  /// Runs one race against every breaker. Handoff's breaker, the first one, must not show it.
  private static void race(
      String words,
      List<BreakerRaces> guards,
      BenchChecks checks,
      Function<BreakerRaces, BreakerRaces.Shown> race) {
    System.out.println(words);
    var shown = JSON.putObject(words);
    for (var guard : guards) {
      var found = race.apply(guard);
      shown.put(guard.name(), found.shown());
      System.out.printf("   %-20s %s%n", guard.name(), found);
      if (guard == guards.getFirst()) {
        checks.that("race does not show: " + words, !found.shown());
      }
    }
  }
}
