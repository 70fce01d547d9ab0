package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.handoff.json.NamedAnswer;
import java.util.Map;

/// Outcome of a plan.
@JsonSubTypes({
  @JsonSubTypes.Type(value = PlanOutcome.Succeeded.class, name = "succeeded"),
  @JsonSubTypes.Type(value = PlanOutcome.Failed.class, name = "failed"),
  @JsonSubTypes.Type(value = PlanOutcome.Cancelled.class, name = "cancelled")
})
public sealed interface PlanOutcome extends NamedAnswer {

  /// Plan whose steps all succeeded.
  record Succeeded(PlanId plan) implements PlanOutcome {}

  /// @param reason summary of all failures
  /// @param failures cause of each failure among the plan's own steps, by step name
  record Failed(PlanId plan, String reason, Map<String, String> failures) implements PlanOutcome {}

  record Cancelled(PlanId plan, String reason, String by) implements PlanOutcome {}
}
