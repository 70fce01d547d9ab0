package dev.handoff.internal.dispatch.worker;

import dev.handoff.Json;
import dev.handoff.internal.job.JobSpec;
import org.jspecify.annotations.Nullable;

/// Code of a job type: a handler for JSON payloads.
///
/// @param blocking whether the handler runs on a platform thread
/// @param retries rule for the failures that are retried
public record AttemptCode(boolean blocking, Body body, Retries retries) {

  /// Code whose failures are all retried.
  public AttemptCode(boolean blocking, Body body) {
    this(blocking, body, (failure, spec) -> null);
  }

  /// Handler body, called on a new thread.
  @FunctionalInterface
  public interface Body {
    Json run(HandlerAttempt attempt) throws Exception;
  }

  /// Retry rule, called on the thread of the failed attempt.
  @FunctionalInterface
  public interface Retries {
    /// Reason not to retry a failure; null = retry.
    @Nullable String whyNot(Throwable failure, JobSpec spec);
  }
}
