package dev.handoff;

/// Thrown for a submission that was not accepted, by methods that throw instead of answering.
public final class SubmissionRefusedException extends RuntimeException {

  private final transient Submission submission;

  SubmissionRefusedException(Submission submission, String message) {
    super(message);
    this.submission = submission;
  }

  public Submission submission() {
    return submission;
  }
}
