package dev.handoff.cli;

/// A command cannot do what it was asked. The message is for the person who asked: the thing, the
/// reason, the next step.
final class CommandFailedException extends RuntimeException {

  private final int exitCode;

  CommandFailedException(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  int exitCode() {
    return exitCode;
  }
}
