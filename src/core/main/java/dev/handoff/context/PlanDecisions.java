package dev.handoff.context;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

/// Decisions of the plan steps before the current step.
public record PlanDecisions(List<Decision> all) {

  /// No decisions.
  public static final PlanDecisions NONE = new PlanDecisions(List.of());

  public PlanDecisions {
    all = List.copyOf(all);
  }

  /// A decision.
  ///
  /// @param step path of the step in the plan, separated by slashes
  /// @param distance number of edges back from the current step; 1 = direct predecessor
  public record Decision(String step, int distance, String text, Instant at) {
    public Decision {
      Objects.requireNonNull(step, "step");
      Objects.requireNonNull(text, "text");
      Objects.requireNonNull(at, "at");
      if (distance < 1) {
        throw new IllegalArgumentException(
            "a decision is at least one step before, that of \"%s\" was %d"
                .formatted(step, distance));
      }
    }
  }
}
