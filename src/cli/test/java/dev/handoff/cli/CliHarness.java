package dev.handoff.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/// Runs the `handoff` program in the test's process, with captured streams.
final class CliHarness {

  /// Result of a run.
  record Ran(int exitCode, String out, String err) {}

  private CliHarness() {}

  static Ran run(String... args) {
    return run("", TerminalSetup.none(), args);
  }

  static Ran withInput(String input, String... args) {
    return run(input, TerminalSetup.none(), args);
  }

  /// Runs the program as in a terminal of 80 columns.
  static Ran inTerminal(String... args) {
    return run("", terminal(80), args);
  }

  static Ran inTerminal(int width, String... args) {
    return run("", terminal(width), args);
  }

  private static Ran run(String input, TerminalSetup terminals, String... args) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    var streams =
        new ProgramStreams(
            new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            terminals);
    int exitCode = Program.run(streams, args);
    return new Ran(
        exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  static TerminalSetup terminal(int width) {
    return TerminalSetup.of(size(width), size(width));
  }

  static TerminalSetup.Size size(int width) {
    return new TerminalSetup.Size(() -> width, () -> 24);
  }
}
