package dev.handoff;

import dev.handoff.internal.plan.PlanPhase;
import dev.handoff.internal.plan.PlanState;
import dev.handoff.plan.PlanStatus;
import dev.handoff.plan.StepStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Converts the final state of a plan into the public outcome types.
final class PlanOutcomes {

  private final List<String> stopped = new ArrayList<>();
  private final List<String> finished = new ArrayList<>();
  private final List<String> failed = new ArrayList<>();
  private final List<String> neverRan = new ArrayList<>();
  private final List<String> abandoned = new ArrayList<>();

  private PlanOutcomes() {}

  /// @throws IllegalStateException if the plan has not ended
  static PlanOutcome of(PlanState plan) {
    var id = plan.id();
    return switch (plan.phase()) {
      case PlanPhase.Succeeded won -> new PlanOutcome.Succeeded(id);
      case PlanPhase.Failed(var reason, var at) ->
          new PlanOutcome.Failed(id, reason, failures(plan));
      case PlanPhase.Cancelled(var reason, var by, var at) ->
          new PlanOutcome.Cancelled(id, reason, by);
      case PlanPhase live -> throw new IllegalStateException("plan " + id + " has not ended");
    };
  }

  private static Map<String, String> failures(PlanState plan) {
    var failures = new LinkedHashMap<String, String>();
    for (var step : plan.steps().all()) {
      if (step.status() == StepStatus.FAILED) {
        failures.put(step.name(), String.valueOf(step.reason()));
      }
    }
    return failures;
  }

  /// Report of a cancel, derived from the plan's final state.
  static PlanCancelReport report(PlanInfo plan) {
    if (plan.status() != PlanStatus.CANCELLED) {
      return new PlanCancelReport.Already(plan.id(), plan.status());
    }
    var ends = new PlanOutcomes();
    ends.look(plan, "");
    return new PlanCancelReport.Cancelled(
        plan.id(),
        plan.reason().orElseThrow(),
        ends.stopped,
        ends.finished,
        ends.failed,
        ends.neverRan,
        ends.abandoned,
        plan.changesets());
  }

  private void look(PlanInfo plan, String at) {
    for (var step : plan.steps()) {
      var path = at + step.name();
      if (step.plan().isPresent()) {
        look(step.plan().get(), path + "/");
      } else {
        placeOf(step).add(path);
      }
    }
  }

  private List<String> placeOf(StepInfo step) {
    return switch (step.stage()) {
      case SUCCEEDED -> finished;
      case FAILED -> failed;
      case CANCELLED, RELEASED, WAITING -> unfinished(step);
    };
  }

  /// List for an unfinished step. A step that failed before its plan was reopened, and has not run
  /// since, counts as failed.
  private List<String> unfinished(StepInfo step) {
    if (step.info().isEmpty() || step.info().get().attempt() == 0) {
      return neverRan;
    }
    var job = step.info().get();
    if (job.status() == JobStatus.FAILED) {
      return failed;
    }
    return job.cancel().filter(CancelInfo::abandoned).isPresent() ? abandoned : stopped;
  }
}
