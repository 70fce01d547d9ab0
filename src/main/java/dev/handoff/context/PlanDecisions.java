package dev.handoff.context;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

/// What the steps before one have decided.
public record PlanDecisions(List<Decision> all) {

  /// Nothing has been decided.
  public static final PlanDecisions NONE = new PlanDecisions(List.of());

  public PlanDecisions {
    all = List.copyOf(all);
  }

  /// One decision.
  ///
  /// @param step its path in the plan, with slashes
  /// @param distance 1 = that step is directly before
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
