package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.handoff.json.NamedAnswer;
import java.time.Duration;

/// Answer to a retry of a plan.
@JsonSubTypes({
  @JsonSubTypes.Type(value = PlanRetryAnswer.Reopened.class, name = "reopened"),
  @JsonSubTypes.Type(value = PlanRetryAnswer.NotPossible.class, name = "not-possible"),
  @JsonSubTypes.Type(value = PlanRetryAnswer.NotFound.class, name = "not-found"),
  @JsonSubTypes.Type(value = PlanRetryAnswer.Unavailable.class, name = "unavailable")
})
public sealed interface PlanRetryAnswer extends NamedAnswer {

  /// The plan is open again: its unfinished steps run again.
  record Reopened(@JsonProperty("plan") PlanHandle handle) implements PlanRetryAnswer {}

  /// The plan cannot be reopened: only failed and cancelled topmost plans can.
  record NotPossible(PlanId plan, String reason) implements PlanRetryAnswer {}

  record NotFound(PlanId plan) implements PlanRetryAnswer {}

  record Unavailable(
      String reason, @JsonFormat(shape = JsonFormat.Shape.STRING) Duration retryAfter)
      implements PlanRetryAnswer {}
}
