package dev.handoff.plan;

/// Thrown for changes that were not recorded. [#answer] gives the reason.
public final class ChangeRefusedException extends RuntimeException {

  private final transient ChangeAnswer answer;

  ChangeRefusedException(ChangeAnswer answer, String message) {
    super(message);
    this.answer = answer;
  }

  public ChangeAnswer answer() {
    return answer;
  }
}
