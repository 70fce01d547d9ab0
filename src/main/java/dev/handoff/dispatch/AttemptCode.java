package dev.handoff.dispatch;

import dev.handoff.job.JobSpec;
import dev.handoff.job.Json;
import org.jspecify.annotations.Nullable;

/// What an attempt runs: a handler, with its payload still as JSON.
///
/// @param blocking whether it runs on a platform thread
/// @param retries which of its failures are tried again
public record AttemptCode(boolean blocking, Body body, Retries retries) {

  /// Every failure is tried again.
  public AttemptCode(boolean blocking, Body body) {
    this(blocking, body, (failure, spec) -> null);
  }

  /// Called on a thread of its own.
  @FunctionalInterface
  public interface Body {
    Json run(Attempt attempt) throws Exception;
  }

  /// Called on the thread of the attempt that has failed.
  @FunctionalInterface
  public interface Retries {
    /// Why a failure is not tried again; null if it is.
    @Nullable String whyNot(Throwable failure, JobSpec spec);
  }
}
