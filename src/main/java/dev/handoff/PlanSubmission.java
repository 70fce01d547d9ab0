package dev.handoff;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/// The answer to the submission of a plan.
public sealed interface PlanSubmission {

  /// The plan is durable, with all of its steps: it ends in a terminal state, or stays visible.
  record Accepted(PlanHandle handle) implements PlanSubmission {}

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
  record Unavailable(String reason, Duration retryAfter) implements PlanSubmission {}

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
              this, "%s; try again in %d ms".formatted(reason, retryAfter.toMillis()));
    };
  }
}
