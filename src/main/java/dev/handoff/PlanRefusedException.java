package dev.handoff;

/// A plan that was not accepted, for those who asked for an exception instead of an answer.
public final class PlanRefusedException extends RuntimeException {

  private final transient PlanSubmission submission;

  PlanRefusedException(PlanSubmission submission, String message) {
    super(message);
    this.submission = submission;
  }

  public PlanSubmission submission() {
    return submission;
  }
}
