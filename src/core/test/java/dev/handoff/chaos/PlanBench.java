package dev.handoff.chaos;

import dev.handoff.Backoff;
import dev.handoff.Handoff;
import dev.handoff.HandoffBuilder;
import dev.handoff.JobContext;
import dev.handoff.JobHandler;
import dev.handoff.JobRequest;
import dev.handoff.plan.Change;
import dev.handoff.plan.PlanRequest;
import dev.handoff.testing.ChangeHistory;
import dev.handoff.testing.ObservedHistory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/// Handlers and random plans of a chaos run. Handlers record changes, and then act according to
/// their job type.
final class PlanBench {

  private static final Duration SLOWLY = Duration.ofMillis(3);
  private static final Duration DEAF = Duration.ofMillis(120);
  private static final Duration LASTING = Duration.ofMillis(1_200);
  private static final Duration SOON = Duration.ofMillis(1);
  private static final String[] RANDOM = {"good", "good", "good", "slow", "flaky", "bad"};
  private static final List<String> STEPS =
      List.of(
          "good", "slow", "flaky", "bad", "left", "right", "long", "parent", "late", "telling",
          "lasting", "doomed");

  private final ObservedHistory history;
  private final ChangeHistory changes;
  private final Map<String, CompletableFuture<Void>> gates = new ConcurrentHashMap<>();
  private final CompletableFuture<Void> released = new CompletableFuture<>();

  PlanBench() {
    this(new ObservedHistory(), new ChangeHistory());
  }

  PlanBench(ObservedHistory history, ChangeHistory changes) {
    this.history = history;
    this.changes = changes;
  }

  ObservedHistory history() {
    return history;
  }

  ChangeHistory changes() {
    return changes;
  }

  /// Adds the handlers, with short timings. The ledger is not trimmed, so that the checks see all
  /// facts.
  HandoffBuilder furnish(HandoffBuilder builder) {
    for (var type : STEPS) {
      JobHandler<String> handler = (payload, job) -> inside(job, () -> step(type, payload, job));
      builder.handler(type, String.class, handler);
    }
    JobHandler<String> child = (plan, job) -> inside(job, () -> waitFor(plan, job));
    return builder
        .handler("child", String.class, child)
        .partitions(2)
        .workers(8)
        .shutdownGrace(Duration.ZERO)
        .cancelling(Duration.ofMillis(5), Duration.ofSeconds(10))
        .set("ledger.retry-after", Duration.ofMillis(10))
        .set("ledger.checkpoint-after", "1GiB");
  }

  Handoff start(HandoffBuilder builder) {
    return furnish(builder).start();
  }

  /// Lets long steps of a plan continue.
  void release(String plan) {
    gate(plan).complete(null);
  }

  /// Lets all long steps continue.
  void release() {
    released.complete(null);
  }

  private CompletableFuture<Void> gate(String plan) {
    return gates.computeIfAbsent(plan, none -> new CompletableFuture<>());
  }

  private Object inside(JobContext job, Callable<Object> work) throws Exception {
    history.entered(job.id(), job.attempt());
    try {
      return work.call();
    } finally {
      history.left(job.id(), job.attempt());
    }
  }

  private Object step(String type, String payload, JobContext job) throws Exception {
    change(type, payload, job);
    run(type, job);
    return job.attempt();
  }

  private void change(String type, String payload, JobContext job) throws Exception {
    for (int number = 1; number <= 2; number++) {
      var path = "%s-%d-%d.txt".formatted(job.id(), job.attempt(), number);
      record(job, Change.create(path, path));
    }
    var step = job.step().orElseThrow();
    if (ChaosPlans.EDITS.equals(payload)) {
      var page = ApplySite.page(step);
      record(job, Change.modify(page, page, page + " by attempt " + job.attempt()));
      record(job, Change.delete(ApplySite.old(step), ApplySite.old(step)));
    }
    if (type.equals("left") || type.equals("right")) {
      record(
          job,
          Change.modify(ApplySite.SHARED, ApplySite.TEXT, ApplySite.TEXT.replace("four", type)));
      var line = type.equals("left") ? "one" : "seven";
      record(
          job, Change.modify(ApplySite.CLEAN, ApplySite.TEXT, ApplySite.TEXT.replace(line, type)));
    }
  }

  private void record(JobContext job, Change change) throws Exception {
    job.changes().record(change).toCompletableFuture().get().orThrow();
    changes.add(new ChangeHistory.Made(job.id(), job.attempt(), change.path()));
  }

  private void run(String type, JobContext job) throws Exception {
    switch (type) {
      case "slow" -> {
        job.cancellation().await(SLOWLY);
        job.cancellation().throwIfCancelled();
      }
      case "flaky" -> failUnless(job.attempt() > 1);
      case "bad" -> failUnless(job.attempt() > 2);
      case "long" -> waitFor(job.plan().orElseThrow(), job);
      case "parent" -> awaitChild(job);
      case "late" -> beDeafAtFirst(job);
      case "telling" -> {
        job.checkpoint("half of it").toCompletableFuture().get();
        job.decide("Half of it is enough.");
        if (job.attempt() == 1) {
          job.later(SOON);
        }
      }
      case "lasting" -> takeTime(job);
      case "doomed" -> {
        waitFor(job.plan().orElseThrow(), job);
        failUnless(false);
      }
      default -> {}
    }
  }

  private static void failUnless(boolean good) {
    if (!good) {
      throw new IllegalStateException("not yet");
    }
  }

  /// Returns at once for jobs of a dead process, which no client would end.
  private Object waitFor(String plan, JobContext job) throws Exception {
    if (!ChaosPlans.PROCESS.equals(job.labels().get(ChaosPlans.OWNER))) {
      return plan;
    }
    var cancelled = job.cancellation().asStage().thenAccept(why -> {});
    CompletableFuture.anyOf(gate(plan), released, cancelled.toCompletableFuture()).get();
    job.cancellation().throwIfCancelled();
    return plan;
  }

  private static void awaitChild(JobContext job) throws Exception {
    var child =
        JobRequest.of("child", job.plan().orElseThrow())
            .key("child")
            .maxAttempts(20)
            .label(ChaosPlans.OWNER, job.labels().get(ChaosPlans.OWNER));
    job.await(job.submit(child).toCompletableFuture().get().orThrow());
    job.cancellation().throwIfCancelled();
  }

  /// Runs longer than the interval at which progress is stored.
  private static void takeTime(JobContext job) throws InterruptedException {
    long start = System.nanoTime();
    for (long spent = 0; spent < LASTING.toNanos(); spent = System.nanoTime() - start) {
      job.progress((double) spent / LASTING.toNanos(), "some of it");
      job.cancellation().await(LASTING.dividedBy(20));
      job.cancellation().throwIfCancelled();
    }
  }

  private static void beDeafAtFirst(JobContext job) {
    long end = System.nanoTime() + (job.attempt() == 1 ? DEAF.toNanos() : 0);
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(end - System.nanoTime());
      Thread.interrupted();
    }
  }

  /// Random plan with nested child plans. A bad step succeeds after a retry of its plan, if it has
  /// used its second attempt before.
  static PlanRequest plan(Random random, String name, int levels) {
    return plan(
        random,
        name,
        levels,
        type ->
            JobRequest.of(type, "").maxAttempts(2).backoff(Backoff.fixed(Duration.ofMillis(1))));
  }

  /// @param job job request for a job type
  static PlanRequest plan(
      Random random, String name, int levels, Function<String, JobRequest> job) {
    var plan =
        PlanRequest.of(name).maxParallel(1 + random.nextInt(3)).failFast(random.nextInt(3) == 0);
    var names = new ArrayList<String>();
    for (int number = 0; number < 3 + random.nextInt(4); number++) {
      var step = name + "-" + number;
      var before = new ArrayList<String>();
      names.stream().filter(other -> random.nextInt(3) == 0).forEach(before::add);
      var after = PlanRequest.after(before.toArray(String[]::new));
      plan =
          levels > 1 && random.nextInt(4) == 0
              ? plan.plan(step, plan(random, step, levels - 1, job), after)
              : plan.step(step, job.apply(RANDOM[random.nextInt(RANDOM.length)]), after);
      names.add(step);
    }
    return plan;
  }
}
