package dev.handoff.cli;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// Streams of the program: answers go to `out`, progress and errors to `err`.
///
/// @param terminal terminal properties, determined on first use
record ProgramStreams(InputStream in, PrintStream out, PrintStream err, TerminalSetup terminal) {

  /// Streams of the process. Always UTF-8, regardless of the locale, because programs read piped
  /// output.
  static ProgramStreams ofProcess() {
    return new ProgramStreams(
        new FileInputStream(FileDescriptor.in),
        new CheckedPrintStream(new FileOutputStream(FileDescriptor.out)),
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
        TerminalSetup.ofProcess());
  }

  /// Reason of a failed write to `out`; empty if none is known.
  Optional<String> failure() {
    return out instanceof CheckedPrintStream answers ? answers.failure() : Optional.empty();
  }

  /// Screen on `out`.
  Screen screenOnOut() {
    return new Screen(out, terminal.out());
  }

  /// Screen on `err`.
  Screen screenOnErr() {
    return new Screen(err, terminal.err());
  }
}
