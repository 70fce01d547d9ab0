package dev.handoff.chaos;

import dev.handoff.Handoff;
import dev.handoff.HandoffBuilder;
import dev.handoff.JobContext;
import dev.handoff.JobRequest;
import dev.handoff.Json;
import dev.handoff.StoreSettings;
import dev.handoff.plan.PlanHandle;
import dev.handoff.plan.PlanRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// Many concurrent plans, four levels deep: each plan has twenty steps, at most ten of them run at
/// a time, and one is a plan of the next level. Counts the concurrent steps of each plan.
final class PlanScale {

  static final int STEPS = 20;
  static final int PARALLEL = 10;
  static final int LEVELS = 4;

  private final Map<String, AtomicInteger> running = new ConcurrentHashMap<>();
  private final Map<String, Integer> most = new ConcurrentHashMap<>();
  private final AtomicInteger done = new AtomicInteger();

  Handoff start(StoreSettings.Kind store) {
    HandoffBuilder builder =
        Handoff.builder()
            .store(store)
            .workers(64)
            .set("ledger.checkpoint-after", "8GiB")
            .handler("leaf", Json.class, (payload, job) -> count(job));
    return builder.start();
  }

  /// Submits this number of plans over all levels, and returns those at the top.
  List<PlanHandle> submit(Handoff handoff, int plans) {
    var all = new ArrayList<CompletableFuture<PlanHandle>>();
    for (int number = 0; number < plans / LEVELS; number++) {
      all.add(
          handoff
              .plans()
              .submit(plan("plan-" + number, LEVELS))
              .thenApply(answer -> answer.orThrow())
              .toCompletableFuture());
    }
    return all.stream().map(CompletableFuture::join).toList();
  }

  private static PlanRequest plan(String name, int levels) {
    var plan = PlanRequest.of(name).maxParallel(PARALLEL);
    for (int number = 1; number < STEPS; number++) {
      plan = plan.step("step-" + number, JobRequest.of("leaf", number));
    }
    return levels == 1
        ? plan.step("last", JobRequest.of("leaf", STEPS))
        : plan.plan("last", plan(name, levels - 1));
  }

  private Object count(JobContext job) throws InterruptedException {
    var plan = job.plan().orElseThrow();
    var now = running.computeIfAbsent(plan, none -> new AtomicInteger());
    most.merge(plan, now.incrementAndGet(), Math::max);
    job.cancellation().await(Duration.ofMillis(1));
    now.decrementAndGet();
    return done.incrementAndGet();
  }

  int done() {
    return done.get();
  }

  /// Maximum number of concurrent steps per plan, counted by the handlers.
  Map<String, Integer> most() {
    return most;
  }
}
