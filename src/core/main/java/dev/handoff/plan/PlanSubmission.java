package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.handoff.internal.text.Durations;
import dev.handoff.json.NamedAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/// Answer to the submission of a plan.
@JsonSubTypes({
  @JsonSubTypes.Type(value = PlanSubmission.Accepted.class, name = "accepted"),
  @JsonSubTypes.Type(value = PlanSubmission.Invalid.class, name = "invalid"),
  @JsonSubTypes.Type(value = PlanSubmission.UnknownType.class, name = "unknown-type"),
  @JsonSubTypes.Type(value = PlanSubmission.Refused.class, name = "refused"),
  @JsonSubTypes.Type(value = PlanSubmission.Unavailable.class, name = "unavailable")
})
public sealed interface PlanSubmission extends NamedAnswer {

  /// The plan is durable, with all of its steps: it ends in a terminal state, or stays visible.
  record Accepted(@JsonProperty("plan") PlanHandle handle) implements PlanSubmission {}

  /// The request is invalid. Each problem names its step.
  record Invalid(List<String> problems) implements PlanSubmission {
    public Invalid {
      problems = List.copyOf(problems);
    }
  }

  /// No worker here can run some of the steps.
  ///
  /// @param types job types without a handler
  /// @param known job types with a handler
  record UnknownType(Set<String> types, Set<String> known) implements PlanSubmission {}

  /// The store can never hold the plan.
  record Refused(String reason) implements PlanSubmission {}

  /// The engine cannot answer now. Whether the plan was accepted is unknown.
  record Unavailable(
      String reason, @JsonFormat(shape = JsonFormat.Shape.STRING) Duration retryAfter)
      implements PlanSubmission {}

  /// Handle of the accepted plan.
  ///
  /// @throws PlanRefusedException for all other answers
  default PlanHandle orThrow() {
    return switch (this) {
      case Accepted(var handle) -> handle;
      case Invalid(var problems) ->
          throw new PlanRefusedException(this, String.join("; ", problems));
      case UnknownType(var types, var known) ->
          throw new PlanRefusedException(
              this,
              "nobody here can run jobs of type %s; known: %s"
                  .formatted(String.join(", ", types), String.join(", ", known)));
      case Refused(var reason) -> throw new PlanRefusedException(this, reason);
      case Unavailable(var reason, var retryAfter) ->
          throw new PlanRefusedException(
              this, "%s; try again in %s".formatted(reason, Durations.exact(retryAfter)));
    };
  }
}
