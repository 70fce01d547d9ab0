package dev.handoff.cli;

/// Exit codes of the program. Scripts rely on them.
final class ExitCode {

  static final int OK = 0;
  static final int FAILED = 1;
  static final int USAGE = 2;
  static final int NOT_FOUND = 3;
  static final int REFUSED = 4;
  static final int UNREACHABLE = 5;

  /// Unfinished work after Ctrl-C: 128 + SIGINT, as in shells.
  static final int INTERRUPTED = 130;

  /// Unfinished work after SIGTERM or SIGHUP (closed terminal).
  static final int TERMINATED = 143;

  private ExitCode() {}
}
