package dev.handoff.context;

import java.time.Duration;

/// What becomes of a request for context.
public sealed interface ContextAnswer permits Assembled, ContextAnswer.NotAssembled {

  /// The context.
  ///
  /// @throws NotAssembledException if there is none, with the reason
  default Assembled orThrow() {
    return switch (this) {
      case Assembled assembled -> assembled;
      case NotAssembled not -> throw new NotAssembledException(not);
    };
  }

  /// There is no context.
  sealed interface NotAssembled extends ContextAnswer {
    String reason();
  }

  /// The request is not what a request must be.
  record Invalid(String reason) implements NotAssembled {}

  /// There is no such directory, or it cannot be read.
  record NoWorkspace(String reason) implements NotAssembled {}

  /// The request was cancelled.
  ///
  /// @param report what had been done by then; what was stopped is named there
  record Cancelled(String reason, AssemblyReport report) implements NotAssembled {}

  /// Something that it needed failed: none of its strategies had its say, or a part of the pipeline
  /// broke.
  record Failed(String reason, AssemblyReport report) implements NotAssembled {}

  /// Too much is under way, or the engine is closed.
  record Unavailable(String reason, Duration retryAfter) implements NotAssembled {}
}
