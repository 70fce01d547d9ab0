package dev.handoff;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.handoff.job.EndCause;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// How an attempt ended.
public enum AttemptOutcome {
  SUCCEEDED,
  /// Its handler threw.
  FAILED,
  /// It took longer than the job's timeout.
  TIMED_OUT,
  /// It was silent for longer than the job's heartbeat timeout.
  HEARTBEAT_LOST,
  /// Its worker is gone.
  WORKER_LOST,
  /// The engine was closed, and its handler returned in time.
  SHUTDOWN,
  /// Its handler was never called.
  NEVER_STARTED,
  /// Its handler wanted to be called again later.
  LATER,
  CANCELLED;

  static AttemptOutcome of(@Nullable EndCause cause) {
    return cause == null ? SUCCEEDED : valueOf(cause.name());
  }

  /// The name that users see: `timed-out`.
  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// @throws IllegalArgumentException if there is no such outcome
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
