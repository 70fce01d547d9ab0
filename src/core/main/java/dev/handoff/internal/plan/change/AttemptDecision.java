package dev.handoff.internal.plan.change;

import java.time.Instant;
import java.util.Objects;

/// Decision of an attempt as text, for later steps.
public record AttemptDecision(String text, Instant at) {
  public AttemptDecision {
    Objects.requireNonNull(text, "text");
    Objects.requireNonNull(at, "at");
  }
}
