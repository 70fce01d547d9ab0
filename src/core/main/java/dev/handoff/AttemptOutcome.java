package dev.handoff;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;

/// Outcome of an attempt.
public enum AttemptOutcome {
  SUCCEEDED,
  /// Handler threw an exception.
  FAILED,
  /// Attempt exceeded the job's timeout.
  TIMED_OUT,
  /// Attempt was silent for longer than the job's heartbeat timeout.
  HEARTBEAT_LOST,
  /// Worker disappeared.
  WORKER_LOST,
  /// Engine was closed, and the handler returned in time.
  SHUTDOWN,
  /// Handler was never called.
  NEVER_STARTED,
  /// Handler postponed the job ([JobContext#later]).
  LATER,
  CANCELLED;

  /// User-visible name, such as `timed-out`.
  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// @throws IllegalArgumentException if the outcome does not exist
  @JsonCreator
  public static AttemptOutcome parse(String label) {
    return Arrays.stream(values())
        .filter(outcome -> outcome.label().equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "outcome \"%s\" of an attempt does not exist".formatted(label)));
  }
}
