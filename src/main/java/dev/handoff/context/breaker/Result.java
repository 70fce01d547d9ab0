package dev.handoff.context.breaker;

import dev.handoff.job.JobError;
import java.time.Duration;

/// What became of a call.
sealed interface Result {

  record Success(Duration took) implements Result {}

  record Failure(JobError error, Duration took) implements Result {}

  /// It was cancelled, or never made.
  record Nothing() implements Result {}
}
