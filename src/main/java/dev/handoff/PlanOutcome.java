package dev.handoff;

import dev.handoff.plan.PlanId;
import java.util.Map;

/// How a plan ended.
public sealed interface PlanOutcome {

  /// All of its steps succeeded.
  record Succeeded(PlanId plan) implements PlanOutcome {}

  /// @param reason all failures together, in words
  /// @param failures why each of its own steps failed, by name
  record Failed(PlanId plan, String reason, Map<String, String> failures) implements PlanOutcome {}

  record Cancelled(PlanId plan, String reason, String by) implements PlanOutcome {}
}
