package dev.handoff.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/// The program, called in this process with streams that a test reads.
final class Cli {

  /// What a call left behind.
  record Ran(int exitCode, String out, String err) {}

  private Cli() {}

  static Ran run(String... args) {
    return run("", Terminals.none(), args);
  }

  static Ran withInput(String input, String... args) {
    return run(input, Terminals.none(), args);
  }

  /// As it is in a terminal of 80 columns.
  static Ran inTerminal(String... args) {
    return run("", terminal(80), args);
  }

  static Ran inTerminal(int width, String... args) {
    return run("", terminal(width), args);
  }

  private static Ran run(String input, Terminals terminals, String... args) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    var streams =
        new Streams(
            new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            terminals);
    int exitCode = Program.run(streams, args);
    return new Ran(
        exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  static Terminals terminal(int width) {
    return Terminals.of(size(width), size(width));
  }

  static Terminals.Size size(int width) {
    return new Terminals.Size(() -> width, () -> 24);
  }
}
