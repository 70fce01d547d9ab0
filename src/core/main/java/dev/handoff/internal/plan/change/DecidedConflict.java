package dev.handoff.internal.plan.change;

import java.time.Instant;
import java.util.Objects;

/// Decision of an attempt as text, for later steps.
public record DecidedConflict(String text, Instant at) {
  public DecidedConflict {
    Objects.requireNonNull(text, "text");
    Objects.requireNonNull(at, "at");
  }
}
