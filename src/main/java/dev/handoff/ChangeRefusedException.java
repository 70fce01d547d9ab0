package dev.handoff;

/// Changes were not recorded. The answer says why.
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
