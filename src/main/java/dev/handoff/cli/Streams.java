package dev.handoff.cli;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// The streams of the program: answers go to `out`, everything about the way there to `err`.
///
/// @param terminal what is known of the terminal; nobody looks until something is to be drawn
record Streams(InputStream in, PrintStream out, PrintStream err, Terminals terminal) {

  /// Those of the process. Always UTF-8: what is piped into a file is read by programs, whatever
  /// the locale says.
  static Streams ofProcess() {
    return new Streams(
        new FileInputStream(FileDescriptor.in),
        new Answers(new FileOutputStream(FileDescriptor.out)),
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
        Terminals.ofProcess());
  }

  /// Why not every answer could be written; empty if all of them were, as far as can be told.
  Optional<String> failure() {
    return out instanceof Answers answers ? answers.failure() : Optional.empty();
  }

  /// A screen for what goes to `out`.
  Screen screenOnOut() {
    return new Screen(out, terminal.out());
  }

  /// A screen for what goes to `err`.
  Screen screenOnErr() {
    return new Screen(err, terminal.err());
  }
}
