package dev.handoff;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.handoff.job.NamedAnswer;
import dev.handoff.plan.PlanId;
import java.util.Map;

/// How a plan ended.
@JsonSubTypes({
  @JsonSubTypes.Type(value = PlanOutcome.Succeeded.class, name = "succeeded"),
  @JsonSubTypes.Type(value = PlanOutcome.Failed.class, name = "failed"),
  @JsonSubTypes.Type(value = PlanOutcome.Cancelled.class, name = "cancelled")
})
public sealed interface PlanOutcome extends NamedAnswer {

  /// All of its steps succeeded.
  record Succeeded(PlanId plan) implements PlanOutcome {}

  /// @param reason all failures together, in words
  /// @param failures why each of its own steps failed, by name
  record Failed(PlanId plan, String reason, Map<String, String> failures) implements PlanOutcome {}

  record Cancelled(PlanId plan, String reason, String by) implements PlanOutcome {}
}
