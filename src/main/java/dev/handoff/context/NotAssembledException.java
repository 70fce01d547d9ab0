package dev.handoff.context;

/// Thrown where a context is needed and there is none.
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
