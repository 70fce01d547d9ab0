package dev.handoff.internal.context.assembly;

import dev.handoff.JobError;
import dev.handoff.context.PipelinePart;
import dev.handoff.internal.ask.StageFailures;

/// Failure of a pipeline part.
final class PartFailedException extends RuntimeException {

  private final transient AssemblyDraft draft;

  PartFailedException(Class<? extends PipelinePart> part, AssemblyDraft draft, Throwable cause) {
    super(
        "the %s failed: %s"
            .formatted(part.getSimpleName(), words(JobError.of(StageFailures.cause(cause)))));
    this.draft = draft;
  }

  private static String words(JobError error) {
    return error.type() + ": " + error.message();
  }

  /// State of the assembly at the failure.
  AssemblyDraft draft() {
    return draft;
  }
}
