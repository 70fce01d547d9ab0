package dev.handoff.handlers;

/// What a job asked for was tried and did not work. The message says all: where in our code it was
/// thrown tells nobody anything, so there is no stack trace to be stored with each attempt.
final class HandlerFailedException extends Exception {

  HandlerFailedException(String message) {
    super(message, null, false, false);
  }
}
