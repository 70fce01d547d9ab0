package dev.handoff.cli;

/// Why a run ended before its file was done.
sealed interface RunStop {

  /// In a few words, for programs.
  String label();

  /// What the exit code is, if work is left.
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
