package dev.handoff.context.assembly;

import dev.handoff.context.Part;
import dev.handoff.job.JobError;
import java.util.concurrent.CompletionException;

/// A part of the pipeline broke.
final class PartFailedException extends RuntimeException {

  private final transient Draft draft;

  PartFailedException(Class<? extends Part> part, Draft draft, Throwable cause) {
    super(
        "the %s failed: %s".formatted(part.getSimpleName(), words(JobError.of(unwrapped(cause)))));
    this.draft = draft;
  }

  private static Throwable unwrapped(Throwable cause) {
    return cause instanceof CompletionException wrapper && wrapper.getCause() != null
        ? wrapper.getCause()
        : cause;
  }

  private static String words(JobError error) {
    return error.type() + ": " + error.message();
  }

  /// What was known by then.
  Draft draft() {
    return draft;
  }
}
