package dev.handoff.handlers;

/// Failure of a job's task, fully described by the message. The exception has no stack trace,
/// because the place in our code tells nothing and would be stored with each attempt.
final class HandlerFailedException extends Exception {

  HandlerFailedException(String message) {
    super(message, null, false, false);
  }
}
