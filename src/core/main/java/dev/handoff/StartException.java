package dev.handoff;

/// Thrown when an engine cannot start; the message gives the reason.
public final class StartException extends RuntimeException {

  public StartException(String message) {
    super(message);
  }
}
