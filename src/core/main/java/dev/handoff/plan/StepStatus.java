package dev.handoff.plan;

import java.util.Locale;

/// Status of a step within its plan.
public enum StepStatus {
  /// Waiting for predecessors or for `maxParallel`.
  WAITING,
  /// Released to run, not ended.
  RELEASED,
  SUCCEEDED,
  FAILED,
  /// Stopped, or never started.
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
