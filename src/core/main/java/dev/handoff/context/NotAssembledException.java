package dev.handoff.context;

/// Thrown by [ContextAnswer#orThrow] if the request has no context.
public final class NotAssembledException extends RuntimeException {

  private final transient ContextAnswer.NotAssembled answer;

  public NotAssembledException(ContextAnswer.NotAssembled answer) {
    super(answer.reason());
    this.answer = answer;
  }

  public ContextAnswer.NotAssembled answer() {
    return answer;
  }
}
