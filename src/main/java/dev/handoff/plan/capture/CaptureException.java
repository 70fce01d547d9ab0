package dev.handoff.plan.capture;

/// A working copy cannot be made, or what changed in it cannot be recorded. Says what, and what to
/// do.
public final class CaptureException extends RuntimeException {

  public CaptureException(String message) {
    super(message);
  }

  CaptureException(String message, Throwable cause) {
    super(message, cause);
  }
}
