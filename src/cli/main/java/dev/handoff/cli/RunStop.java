package dev.handoff.cli;

/// Reason for ending a run before its file is complete.
sealed interface RunStop {

  /// Short label for JSON output.
  String label();

  /// Exit code if work is left.
  int exitCode();

  record MaxFailures(long most) implements RunStop {
    @Override
    public String label() {
      return "max-failures";
    }

    @Override
    public int exitCode() {
      return ExitCode.FAILED;
    }
  }

  /// @param signal `INT`, `TERM` or `HUP`
  record Signal(String signal) implements RunStop {
    @Override
    public String label() {
      return "SIG" + signal;
    }

    @Override
    public int exitCode() {
      return StopSignals.exitCode(signal);
    }
  }

  record Broken(String reason) implements RunStop {
    @Override
    public String label() {
      return reason;
    }

    @Override
    public int exitCode() {
      return ExitCode.FAILED;
    }
  }
}
