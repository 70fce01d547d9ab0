package dev.handoff;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.handoff.job.NamedAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/// The answer to the submission of a plan.
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

  /// The request breaks rules. Each problem names its step.
  record Invalid(List<String> problems) implements PlanSubmission {
    public Invalid {
      problems = List.copyOf(problems);
    }
  }

  /// Nobody here can run some of the steps.
  ///
  /// @param types of the steps that nobody can run
  /// @param known what can be run here
  record UnknownType(Set<String> types, Set<String> known) implements PlanSubmission {}

  /// The store can never keep it.
  record Refused(String reason) implements PlanSubmission {}

  /// Not now. Whether it was accepted is not known.
  record Unavailable(
      String reason, @JsonFormat(shape = JsonFormat.Shape.STRING) Duration retryAfter)
      implements PlanSubmission {}

  /// The handle of a plan that was accepted.
  ///
  /// @throws PlanRefusedException in every other case
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
