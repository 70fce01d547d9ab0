package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// The status of a plan as users see it.
public enum PlanStatus {
  /// A child plan whose turn has not come.
  WAITING,
  RUNNING,
  /// A cancel is durable; steps are being stopped.
  CANCELLING,
  /// It will fail, and not everything has ended yet.
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

  /// @throws IllegalArgumentException if there is no such status
  @JsonCreator
  static PlanStatus parse(String label) {
    return of(label)
        .orElseThrow(
            () -> new IllegalArgumentException("status \"%s\" does not exist".formatted(label)));
  }

  public static Optional<PlanStatus> of(String label) {
    return Arrays.stream(values()).filter(status -> status.label().equals(label)).findFirst();
  }
}
