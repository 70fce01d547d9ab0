package dev.handoff;

import dev.handoff.job.JobId;
import dev.handoff.job.JobStatus;
import java.time.Duration;

/// The answer to a retry by an operator.
public sealed interface RetryAnswer {

  /// The job is open again, as a new attempt with a new token.
  record Reopened(JobHandle handle) implements RetryAnswer {}

  /// Only failed and cancelled jobs can be opened again.
  record NotPossible(JobId job, JobStatus status) implements RetryAnswer {}

  record NotFound(JobId job) implements RetryAnswer {}

  record Unavailable(String reason, Duration retryAfter) implements RetryAnswer {}
}
