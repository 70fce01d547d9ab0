package dev.handoff.chaos;

import dev.handoff.Change;
import dev.handoff.Handoff;
import dev.handoff.HandoffBuilder;
import dev.handoff.JobContext;
import dev.handoff.JobHandler;
import dev.handoff.JobRequest;
import dev.handoff.PlanRequest;
import dev.handoff.job.Backoff;
import dev.handoff.job.Json;
import dev.handoff.testing.ChangeHistory;
import dev.handoff.testing.History;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Where the steps of plans work: handlers that record changes and then do what their type says,
/// and plans of such steps in random shapes.
final class PlanBench {

  private static final Duration SLOWLY = Duration.ofMillis(3);
  private static final String[] TYPES = {"good", "good", "good", "slow", "flaky", "bad"};

  private final History history = new History();
  private final ChangeHistory changes = new ChangeHistory();

  History history() {
    return history;
  }

  ChangeHistory changes() {
    return changes;
  }

  /// With settings that make things happen soon. The ledger is kept whole, for the checks.
  HandoffBuilder furnish(HandoffBuilder builder) {
    for (var type : List.of("good", "slow", "flaky", "bad")) {
      JobHandler<Json> handler = (payload, job) -> handle(type, job);
      builder.handler(type, Json.class, handler);
    }
    return builder
        .partitions(2)
        .workers(8)
        .shutdownGrace(Duration.ZERO)
        .cancelling(Duration.ofMillis(5), Duration.ofSeconds(10))
        .set("ledger.retry-after", Duration.ofMillis(10))
        .set("ledger.checkpoint-after", "1GiB");
  }

  private Object handle(String type, JobContext job) throws Exception {
    history.entered(job.id(), job.attempt());
    try {
      for (int number = 1; number <= 2; number++) {
        change(job, "%s-%d-%d.txt".formatted(job.id(), job.attempt(), number));
      }
      switch (type) {
        case "slow" -> {
          job.cancellation().await(SLOWLY);
          job.cancellation().throwIfCancelled();
        }
        case "flaky" -> failUnless(job.attempt() > 1);
        case "bad" -> failUnless(job.attempt() > 2);
        default -> {}
      }
      return job.attempt();
    } finally {
      history.left(job.id(), job.attempt());
    }
  }

  private void change(JobContext job, String path) throws Exception {
    job.changes().record(Change.create(path, path)).toCompletableFuture().get().orThrow();
    changes.add(new ChangeHistory.Made(job.id(), job.attempt(), path));
  }

  private static void failUnless(boolean good) {
    if (!good) {
      throw new IllegalStateException("not yet");
    }
  }

  /// Of a random shape, with child plans down to a level.
  static PlanRequest plan(Random random, String name, int levels) {
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
              ? plan.plan(step, plan(random, step, levels - 1), after)
              : plan.step(step, step(TYPES[random.nextInt(TYPES.length)]), after);
      names.add(step);
    }
    return plan;
  }

  /// A bad one succeeds when its plan has been retried, if it had a second attempt before.
  private static JobRequest step(String type) {
    return JobRequest.of(type).maxAttempts(2).backoff(Backoff.fixed(Duration.ofMillis(1)));
  }

  Handoff start(HandoffBuilder builder) {
    return furnish(builder).start();
  }
}
