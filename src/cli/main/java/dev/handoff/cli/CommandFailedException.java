package dev.handoff.cli;

/// Failure of a command. The message for the user names the thing, the reason and the next step.
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
