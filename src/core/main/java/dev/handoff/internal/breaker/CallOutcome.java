package dev.handoff.internal.breaker;

import dev.handoff.JobError;
import dev.handoff.cancel.Cancellation;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Outcome of a guarded call.
public sealed interface CallOutcome<T> {

  record Returned<T>(@Nullable T value, Duration took) implements CallOutcome<T> {}

  /// Failure of any kind: exception, error, or null instead of a stage.
  record Threw<T>(JobError error, Duration took) implements CallOutcome<T> {}

  /// Call stopped at its deadline. Its code may still run; the result is discarded.
  record TimedOut<T>(Duration after) implements CallOutcome<T> {}

  /// Call not made, because the breaker rejected it.
  ///
  /// @param retryAt earliest time for another attempt; permission is not guaranteed
  record Rejected<T>(Instant retryAt, String reason) implements CallOutcome<T> {}

  /// Call cancelled from outside, before or during its run. Its code may still run; the result is
  /// discarded.
  record Stopped<T>(Cancellation why) implements CallOutcome<T> {}

  /// Call not made: no breaker available, no answer from it, invalid deadline, or stopped engine.
  record Refused<T>(String reason) implements CallOutcome<T> {}
}
