package dev.handoff.plan;

import java.util.Locale;

/// Where a step stands, as its plan sees it.
public enum StepStatus {
  /// Held: for the steps before it, or for its turn.
  WAITING,
  /// It may run, and has not ended.
  RELEASED,
  SUCCEEDED,
  FAILED,
  /// Stopped, or never run.
  CANCELLED;

  public boolean isTerminal() {
    return switch (this) {
      case WAITING, RELEASED -> false;
      case SUCCEEDED, FAILED, CANCELLED -> true;
    };
  }

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
