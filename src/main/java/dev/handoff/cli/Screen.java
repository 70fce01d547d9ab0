package dev.handoff.cli;

import java.io.PrintStream;
import java.util.function.IntSupplier;

/// Lines, and below them one that is drawn again and again, if there is a terminal for it. Belongs
/// to one thread.
final class Screen {

  private static final String CLEAR = "\r\u001b[K";
  private static final String RESET = "\u001b[0m";

  private final PrintStream stream;
  private final IntSupplier width;
  private final boolean terminal;
  private String status = "";

  /// @param width of the terminal, 0 if there is none
  Screen(PrintStream stream, IntSupplier width) {
    this.stream = stream;
    this.width = width;
    this.terminal = width.getAsInt() > 0;
  }

  boolean isTerminal() {
    return terminal;
  }

  /// How many characters the last line may have.
  int width() {
    return Math.max(20, width.getAsInt() - 1);
  }

  /// Writes lines above the last one.
  void say(String text) {
    if (status.isEmpty()) {
      stream.println(text);
    } else {
      stream.print(CLEAR + text + System.lineSeparator() + status);
      stream.flush();
    }
  }

  /// Draws the last line again; does nothing where there is no terminal. The caller sees to it that
  /// it fits.
  void status(String line) {
    if (terminal && !line.equals(status)) {
      stream.print(CLEAR + line);
      stream.flush();
      status = line;
    }
  }

  /// Takes the last line away.
  void clear() {
    if (!status.isEmpty()) {
      stream.print(CLEAR);
      stream.flush();
      status = "";
    }
  }

  /// The text in a style, if that can be shown.
  String styled(Style style, String text) {
    return terminal && System.getenv("NO_COLOR") == null ? style.code + text + RESET : text;
  }

  enum Style {
    BOLD("\u001b[1m"),
    DIM("\u001b[2m"),
    GREEN("\u001b[32m"),
    RED("\u001b[31m"),
    YELLOW("\u001b[33m"),
    CYAN("\u001b[36m");

    private final String code;

    Style(String code) {
      this.code = code;
    }
  }
}
