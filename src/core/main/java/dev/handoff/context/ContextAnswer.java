package dev.handoff.context;

import java.time.Duration;

/// Answer to a context request.
public sealed interface ContextAnswer permits Assembled, ContextAnswer.NotAssembled {

  /// Returns the context.
  ///
  /// @throws NotAssembledException if the request failed; carries the reason
  default Assembled orThrow() {
    return switch (this) {
      case Assembled assembled -> assembled;
      case NotAssembled not -> throw new NotAssembledException(not);
    };
  }

  /// Request without a context.
  sealed interface NotAssembled extends ContextAnswer {
    String reason();
  }

  /// Request that violates the validation rules.
  record Invalid(String reason) implements NotAssembled {}

  /// Workspace root that is missing, unreadable or no directory.
  record NoWorkspace(String reason) implements NotAssembled {}

  /// Cancelled request.
  ///
  /// @param report work completed before the cancel; names the stopped strategies
  record Cancelled(String reason, Assembled.Report report) implements NotAssembled {}

  /// Failed assembly: every strategy failed, or a pipeline part threw an exception.
  record Failed(String reason, Assembled.Report report) implements NotAssembled {}

  /// Overload, or an engine that is closed. Retry after the given time.
  record Unavailable(String reason, Duration retryAfter) implements NotAssembled {}

  /// Program without context assembly.
  ///
  /// @param artifact library to add, as `group:name`
  record NotInstalled(String artifact) implements NotAssembled {
    @Override
    public String reason() {
      return "context assembly is not installed: add the library " + artifact;
    }
  }
}
