package dev.handoff.cli;

/// What the program ends with. Scripts rely on these.
final class ExitCode {

  static final int OK = 0;
  static final int FAILED = 1;
  static final int USAGE = 2;
  static final int NOT_FOUND = 3;
  static final int REFUSED = 4;
  static final int UNREACHABLE = 5;

  /// Ended by Ctrl-C, as shells count it.
  static final int INTERRUPTED = 130;

  /// Ended by a request to terminate, without having been able to put everything away.
  static final int TERMINATED = 143;

  private ExitCode() {}
}
