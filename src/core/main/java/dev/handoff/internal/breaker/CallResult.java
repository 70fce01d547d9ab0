package dev.handoff.internal.breaker;

import dev.handoff.JobError;
import java.time.Duration;

/// Result of a call, as reported to its breaker.
sealed interface CallResult {

  record Success(Duration took) implements CallResult {}

  record Failure(JobError error, Duration took) implements CallResult {}

  /// Call that was cancelled or never made.
  record Nothing() implements CallResult {}
}
