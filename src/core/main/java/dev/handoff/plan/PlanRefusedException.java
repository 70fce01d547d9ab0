package dev.handoff.plan;

/// Thrown for a plan that was not accepted, by methods that throw instead of answering.
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
