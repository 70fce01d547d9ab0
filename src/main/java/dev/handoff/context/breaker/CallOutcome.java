package dev.handoff.context.breaker;

import dev.handoff.cancel.Cancellation;
import dev.handoff.job.JobError;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// How a guarded call went.
public sealed interface CallOutcome<T> {

  record Returned<T>(@Nullable T value, Duration took) implements CallOutcome<T> {}

  /// Whatever it was: exceptions, errors, a null instead of a stage.
  record Threw<T>(JobError error, Duration took) implements CallOutcome<T> {}

  /// It was told to stop at its deadline. Its code may still run; whatever it returns is discarded.
  record TimedOut<T>(Duration after) implements CallOutcome<T> {}

  /// It was not made: the breaker lets nothing through.
  ///
  /// @param retryAt when to ask again; nothing is promised for then
  record Rejected<T>(Instant retryAt, String reason) implements CallOutcome<T> {}

  /// It was cancelled from outside, before or while it ran. Its code may still run; whatever it
  /// returns is discarded.
  record Stopped<T>(Cancellation why) implements CallOutcome<T> {}

  /// It was not made: there is no breaker of that name, or it does not answer.
  record Refused<T>(String reason) implements CallOutcome<T> {}
}
