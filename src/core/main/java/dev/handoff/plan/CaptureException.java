package dev.handoff.plan;

/// Working copy that cannot be made, or changes that cannot be recorded. The message names the
/// cause and the next step.
public final class CaptureException extends RuntimeException {

  public CaptureException(String message) {
    super(message);
  }

  public CaptureException(String message, Throwable cause) {
    super(message, cause);
  }
}
