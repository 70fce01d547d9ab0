package dev.handoff.chaos;

import dev.handoff.JobRequest;
import dev.handoff.PlanRequest;
import dev.handoff.job.Backoff;
import java.time.Duration;
import java.util.Locale;
import java.util.Random;

/// The plans of a chaos run: what each is, by its name. What its client does with it is told by
/// [PlanClient].
enum Story {
  /// Of a random shape, with child plans, steps that fail, and callers that change it. May be
  /// cancelled.
  RANDOM,
  /// Two of its steps change the same lines of one file.
  DISPUTED,
  /// Is cancelled while it runs, opened again, and cancelled at once.
  STOPPED,
  /// Takes its time, and tells how far it is.
  LASTING,
  /// Fails, and stays open for its callers.
  LOST,
  /// Is applied to a directory that is not there.
  FRESH;

  /// What a step gets that is to change files that are there, too.
  static final String EDITS = "edits";

  static final String PROCESS = Long.toString(ProcessHandle.current().pid());

  /// The label that says which process has submitted a step.
  static final String OWNER = "owner";

  private static final Duration SHORT = Duration.ofMillis(20);

  static Story of(String plan) {
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

  /// Fails for good when it has failed twice.
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
