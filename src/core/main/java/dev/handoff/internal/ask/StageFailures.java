package dev.handoff.internal.ask;

import java.util.concurrent.CompletionException;

/// Failures of stages. A failure arrives wrapped at every dependent stage and at every `join`.
public final class StageFailures {

  private StageFailures() {}

  /// Failure without its [CompletionException]s.
  public static Throwable cause(Throwable failure) {
    var cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }
}
