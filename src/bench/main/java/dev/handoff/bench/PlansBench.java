package dev.handoff.bench;

import dev.handoff.Handoff;
import dev.handoff.JobRequest;
import dev.handoff.Json;
import dev.handoff.StoreSettings;
import dev.handoff.plan.ChainVerdict;
import dev.handoff.plan.Change;
import dev.handoff.plan.Content;
import dev.handoff.plan.PlanHandle;
import dev.handoff.plan.PlanOutcome;
import dev.handoff.plan.PlanRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/// Plans on the embedded file store, with every answer awaited: recorded changes of 1 KiB per
/// second, diff time for 10,000 changes, and throughput of plans with no-op steps.
final class PlansBench {

  private static final int PLANS = 8;
  private static final int SET = 100;
  private static final int FILES = 10_000;
  private static final int TOGETHER = 500;
  private static final int MANY_PLANS = 200;
  private static final int MANY_STEPS = 10_000;
  private static final String LETTERS = letters();

  private PlansBench() {}

  static void run(BenchArguments arguments, BenchChecks checks) throws Exception {
    int callers = arguments.number("callers", 1_024, 64);
    int rounds = arguments.number("rounds", 5, 1);
    long nanos = Math.round(1e9 * arguments.decimal("seconds", 4, 0.5));
    var limits = new FigureTable(arguments, checks);
    var end = new CountDownLatch(1);
    try (var place = BenchDirectory.fresh();
        var handoff =
            Handoff.builder()
                .store(new StoreSettings.File(place.directory()))
                .handler("held", Json.class, (payload, job) -> held(end))
                .handler("noop", Json.class, (payload, job) -> null)
                .start()) {
      var plans = held(handoff, PLANS);
      for (int warmUp = 0; warmUp < (arguments.quick() ? 0 : 3); warmUp++) {
        record(plans, callers, nanos);
      }
      var rates = new double[rounds];
      for (int round = 0; round < rounds; round++) {
        rates[round] = record(plans, callers, nanos);
      }
      limits.addAtLeast(
          "records_per_s",
          "changes of 1 KiB a second, %,d callers, %d plans".formatted(callers, PLANS),
          median(rates),
          "/s",
          20_000);
      differences(
          held(handoff, 1).getFirst(), arguments.quick() ? FILES / 10 : FILES, limits, checks);
      end.countDown();
      throughput(handoff, arguments.quick() ? 20 : 1, limits);
      for (var plan : plans) {
        checks.that(
            "the chain of a plan is intact",
            plan.verify().toCompletableFuture().join() instanceof ChainVerdict.Intact);
      }
    }
    limits.print();
  }

  private static Object held(CountDownLatch end) throws InterruptedException {
    end.await();
    return null;
  }

  private static List<PlanHandle> held(Handoff handoff, int count) {
    var request = PlanRequest.of("held").step("held", JobRequest.of("held"));
    return IntStream.range(0, count).mapToObj(i -> handoff.plans().submitOrThrow(request)).toList();
  }

  /// @return changes per second
  private static double record(List<PlanHandle> plans, int callers, long nanos)
      throws InterruptedException {
    var done = new LongAdder();
    var failures = new LongAdder();
    long began = System.nanoTime();
    var threads = new ArrayList<Thread>();
    for (int caller = 0; caller < callers; caller++) {
      var plan = plans.get(caller % plans.size());
      var random = new SplittableRandom(began + caller);
      Runnable work = () -> caller(plan, random, began + nanos, done);
      threads.add(
          Thread.ofVirtual()
              .uncaughtExceptionHandler((thread, failure) -> failures.increment())
              .start(work));
    }
    for (var thread : threads) {
      thread.join();
    }
    if (failures.sum() > 0) {
      throw new IllegalStateException(failures.sum() + " callers failed");
    }
    return done.sum() / ((System.nanoTime() - began) / 1e9);
  }

  /// Records changes in its own changesets, sequentially, and waits for each answer.
  private static void caller(PlanHandle plan, SplittableRandom random, long end, LongAdder done) {
    while (System.nanoTime() < end) {
      var set = plan.startChangeset("bench", "bench").toCompletableFuture().join().orThrow();
      for (int i = 0; i < SET && System.nanoTime() < end; i++) {
        var change = new Change.Create("dir/file-" + random.nextInt(1 << 30), text(random));
        plan.record(set, change).toCompletableFuture().join().orThrow();
        done.increment();
      }
      plan.close(set).toCompletableFuture().join().orThrow();
    }
  }

  /// 1 KiB of unique text: a random number and a slice of a long text, so that generation costs
  /// almost no time.
  private static Content text(SplittableRandom random) {
    var number = Long.toHexString(random.nextLong()) + "\n";
    int from = random.nextInt(LETTERS.length() - 1024);
    return Content.text(number + LETTERS.substring(from, from + 1024 - number.length()));
  }

  private static String letters() {
    var random = new SplittableRandom(7);
    var text = new byte[1 << 20];
    for (int i = 0; i < text.length; i++) {
      text[i] = (byte) (i % 64 == 63 ? '\n' : 'a' + random.nextInt(26));
    }
    return new String(text, StandardCharsets.US_ASCII);
  }

  private static void differences(
      PlanHandle plan, int files, FigureTable limits, BenchChecks checks) {
    var random = new SplittableRandom(1);
    var set = plan.startChangeset("bench", "bench").toCompletableFuture().join().orThrow();
    for (int from = 0; from < files; from += TOGETHER) {
      var changes = new ArrayList<Change>();
      for (int i = from; i < from + TOGETHER; i++) {
        changes.add(new Change.Create("dir-%d/file-%d".formatted(i % 100, i), text(random)));
      }
      plan.record(set, changes).toCompletableFuture().join().orThrow();
    }
    plan.close(set).toCompletableFuture().join().orThrow();
    long began = System.nanoTime();
    var first = plan.diff().toCompletableFuture().join();
    double cold = seconds(began);
    var warm = new double[5];
    for (int i = 0; i < warm.length; i++) {
      long again = System.nanoTime();
      plan.diff().toCompletableFuture().join();
      warm[i] = seconds(again);
    }
    var words = "diff of a plan with %,d changes".formatted(first.report().files().size());
    limits.add("diff_first_s", words + ", the first one", cold, "s", 2);
    limits.add("diff_s", words, median(warm), "s", 2);
    long verifying = System.nanoTime();
    var verdict = plan.verify().toCompletableFuture().join();
    limits.add("verify_s", "verify of the same plan", seconds(verifying), "s");
    checks.that(
        "the chain of %,d changes is intact".formatted(files),
        verdict instanceof ChainVerdict.Intact);
    checks.that(
        "every one of %,d changes is in the difference".formatted(files),
        first.report().files().size() == files);
  }

  /// @param part divisor of the number of plans and steps
  private static void throughput(Handoff handoff, int part, FigureTable limits) {
    var chain = PlanRequest.of("chain").maxParallel(10);
    for (int i = 0; i < 20; i++) {
      var after = i < 10 ? PlanRequest.after() : PlanRequest.after("s" + (i - 10));
      chain = chain.step("s" + i, JobRequest.of("noop"), after);
    }
    run(handoff, chain, MANY_PLANS / part);
    long began = System.nanoTime();
    run(handoff, chain, MANY_PLANS / part);
    limits.add(
        "plans_per_s", "plans of 20 steps a second", MANY_PLANS / part / seconds(began), "/s");
    var large = PlanRequest.of("large").maxParallel(50);
    for (int i = 0; i < MANY_STEPS / part; i++) {
      large = large.step("s" + i, JobRequest.of("noop"));
    }
    began = System.nanoTime();
    run(handoff, large, 1);
    limits.add(
        "large_plan_s", "one plan of %,d steps".formatted(MANY_STEPS / part), seconds(began), "s");
  }

  private static void run(Handoff handoff, PlanRequest request, int count) {
    var plans =
        IntStream.range(0, count).mapToObj(i -> handoff.plans().submitOrThrow(request)).toList();
    for (var plan : plans) {
      if (!(plan.result().toCompletableFuture().join() instanceof PlanOutcome.Succeeded)) {
        throw new IllegalStateException("plan " + plan.id() + " did not succeed");
      }
    }
  }

  private static double seconds(long began) {
    return (System.nanoTime() - began) / 1e9;
  }

  private static double median(double[] values) {
    var sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
