package dev.handoff.cli;

import dev.handoff.plan.PlanInfo;

/// Counters of a plan's job steps, including those of child plans.
///
/// @param waiting for earlier steps or for a free place within `maxParallel`
record StepCounts(int all, int succeeded, int failed, int cancelled, int running, int waiting) {

  private static final StepCounts NONE = new StepCounts(0, 0, 0, 0, 0, 0);

  static StepCounts of(PlanInfo plan) {
    return plan.steps().stream()
        .map(step -> step.plan().map(StepCounts::of).orElseGet(() -> one(step.stage())))
        .reduce(NONE, StepCounts::plus);
  }

  /// Note on a count that contains steps of child plans; otherwise empty.
  static String included(PlanInfo plan) {
    return plan.size() == plan.steps().size() ? "" : ", those of child plans included";
  }

  /// Succeeded and failed steps. Cancelled steps do not count as done.
  int done() {
    return succeeded + failed;
  }

  private static StepCounts one(PlanInfo.StepStatus status) {
    return switch (status) {
      case SUCCEEDED -> new StepCounts(1, 1, 0, 0, 0, 0);
      case FAILED -> new StepCounts(1, 0, 1, 0, 0, 0);
      case CANCELLED -> new StepCounts(1, 0, 0, 1, 0, 0);
      case RELEASED -> new StepCounts(1, 0, 0, 0, 1, 0);
      case WAITING -> new StepCounts(1, 0, 0, 0, 0, 1);
    };
  }

  private StepCounts plus(StepCounts more) {
    return new StepCounts(
        all + more.all,
        succeeded + more.succeeded,
        failed + more.failed,
        cancelled + more.cancelled,
        running + more.running,
        waiting + more.waiting);
  }
}
