package dev.handoff.chaos;

import dev.handoff.Backoff;
import dev.handoff.JobRequest;
import dev.handoff.plan.PlanRequest;
import java.time.Duration;
import java.util.Locale;
import java.util.Random;

/// Kinds of plans in a chaos run, by name. [PlanClient] acts them out.
enum ChaosPlans {
  /// Has a random shape, child plans, failing steps, and callers that change it. Can be cancelled.
  RANDOM,
  /// Has two steps that change the same lines of one file.
  DISPUTED,
  /// Is cancelled while it runs, reopened, and cancelled at once.
  STOPPED,
  /// Takes long, and reports its progress.
  LASTING,
  /// Fails, and has open changesets of callers.
  LOST,
  /// Is applied to a directory that does not exist.
  FRESH;

  /// Payload of steps that also change existing files.
  static final String EDITS = "edits";

  static final String PROCESS = Long.toString(ProcessHandle.current().pid());

  /// Label with the process that submitted a step.
  static final String OWNER = "owner";

  private static final Duration SHORT = Duration.ofMillis(20);

  static ChaosPlans of(String plan) {
    return valueOf(plan.split("-")[0].toUpperCase(Locale.ROOT));
  }

  String name(int number) {
    return name().toLowerCase(Locale.ROOT) + "-" + PROCESS + "-" + number;
  }

  PlanRequest request(Random random, String name) {
    return switch (this) {
      case RANDOM -> PlanBench.plan(random, name, 3, type -> twice(type, EDITS));
      case DISPUTED ->
          PlanRequest.of(name)
              .step("left", often("left"))
              .step("right", often("right"))
              .step("flaky", often("flaky", EDITS), PlanRequest.after("left"))
              .plan("below", PlanRequest.of("below").step("good", often("good", EDITS)));
      case STOPPED ->
          PlanRequest.of(name)
              .maxParallel(2)
              .step("long", often("long", EDITS))
              .step("parent", often("parent", EDITS))
              .step("waiting", often("good", EDITS))
              .plan("below", PlanRequest.of("below").step("good", often("good", EDITS)));
      case LASTING -> PlanRequest.of(name).step("lasting", often("lasting", EDITS));
      case LOST -> PlanRequest.of(name).step("doomed", often("doomed").maxAttempts(1));
      case FRESH ->
          PlanRequest.of(name)
              .step("good", often("good"))
              .step("late", often("late").timeout(SHORT))
              .step("telling", often("telling"), PlanRequest.after("good"));
    };
  }

  /// Job that fails for good at its second failure.
  private static JobRequest twice(String type, Object payload) {
    return JobRequest.of(type, payload).maxAttempts(2).backoff(Backoff.fixed(Duration.ofMillis(1)));
  }

  private static JobRequest often(String type, Object payload) {
    return twice(type, payload).maxAttempts(20).label(OWNER, PROCESS);
  }

  private static JobRequest often(String type) {
    return often(type, "");
  }
}
