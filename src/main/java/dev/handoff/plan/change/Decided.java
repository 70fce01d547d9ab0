package dev.handoff.plan.change;

import java.time.Instant;
import java.util.Objects;

/// What an attempt decided, in its own words, for the steps after it.
public record Decided(String text, Instant at) {
  public Decided {
    Objects.requireNonNull(text, "text");
    Objects.requireNonNull(at, "at");
  }
}
