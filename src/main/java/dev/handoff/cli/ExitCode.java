package dev.handoff.cli;

/// What the program ends with. Scripts rely on these.
final class ExitCode {

  static final int OK = 0;
  static final int FAILED = 1;
  static final int USAGE = 2;
  static final int NOT_FOUND = 3;
  static final int REFUSED = 4;
  static final int UNREACHABLE = 5;

  /// Ended by Ctrl-C with work left, as shells count it: 128 and the number of the signal.
  static final int INTERRUPTED = 130;

  /// Ended by SIGTERM, or with its terminal, with work left.
  static final int TERMINATED = 143;

  private ExitCode() {}
}
