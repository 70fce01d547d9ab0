package dev.handoff;

/// A submission that was not accepted, for those who asked for an exception instead of an answer.
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
