package dev.handoff.internal.facade.plan;

import dev.handoff.internal.plan.PlanPhase;
import dev.handoff.internal.plan.PlanState;
import dev.handoff.plan.PlanInfo;
import dev.handoff.plan.PlanOutcome;
import java.util.LinkedHashMap;
import java.util.Map;

/// Converts the final state of a plan into the public outcome types.
final class PlanOutcomes {

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
      if (step.status() == PlanInfo.StepStatus.FAILED) {
        failures.put(step.name(), String.valueOf(step.reason()));
      }
    }
    return failures;
  }
}
