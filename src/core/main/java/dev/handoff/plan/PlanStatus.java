package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// User-visible status of a plan.
public enum PlanStatus {
  /// Child plan before its release.
  WAITING,
  RUNNING,
  /// Durable cancel; steps are being stopped.
  CANCELLING,
  /// Plan certain to fail, with unfinished steps.
  FAILING,
  SUCCEEDED,
  FAILED,
  CANCELLED;

  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public boolean isTerminal() {
    return switch (this) {
      case WAITING, RUNNING, CANCELLING, FAILING -> false;
      case SUCCEEDED, FAILED, CANCELLED -> true;
    };
  }

  /// @throws IllegalArgumentException if the status is unknown
  @JsonCreator
  public static PlanStatus parse(String label) {
    return of(label)
        .orElseThrow(
            () -> new IllegalArgumentException("status \"%s\" does not exist".formatted(label)));
  }

  public static Optional<PlanStatus> of(String label) {
    return Arrays.stream(values()).filter(status -> status.label().equals(label)).findFirst();
  }
}
