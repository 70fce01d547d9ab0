package dev.handoff.context;

import dev.handoff.NonRetryableException;
import org.jspecify.annotations.Nullable;

/// Thrown by [ContextAnswer#orThrow] if the request has no context. A handler that throws this
/// exception is retried, unless a retry cannot help: the request is invalid, or the library for
/// contexts is missing.
public final class NotAssembledException extends RuntimeException {

  private final transient ContextAnswer.NotAssembled answer;

  public NotAssembledException(ContextAnswer.NotAssembled answer) {
    super(answer.reason(), cause(answer));
    this.answer = answer;
  }

  private static @Nullable NonRetryableException cause(ContextAnswer.NotAssembled answer) {
    return switch (answer) {
      case ContextAnswer.Invalid invalid -> new NonRetryableException("the request stays invalid");
      case ContextAnswer.NotInstalled missing ->
          new NonRetryableException("the library stays missing");
      case ContextAnswer.NoWorkspace none -> null;
      case ContextAnswer.Cancelled cancelled -> null;
      case ContextAnswer.Failed failed -> null;
      case ContextAnswer.Unavailable notNow -> null;
    };
  }

  public ContextAnswer.NotAssembled answer() {
    return answer;
  }
}
