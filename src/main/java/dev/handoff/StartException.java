package dev.handoff;

/// An engine that could not be started: its message says why.
public final class StartException extends RuntimeException {

  StartException(String message) {
    super(message);
  }
}
