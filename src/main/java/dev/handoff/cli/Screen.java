package dev.handoff.cli;

import java.io.PrintStream;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.stream.Stream;

/// Lines, and below them some that are drawn again and again, if there is a terminal for it.
/// Belongs to one thread, but for the last words of a process.
final class Screen {

  private static final String CLEAR = "\r\u001b[K";
  private static final String UP = "\r\u001b[%dA";
  private static final String CLEAR_REST = "\u001b[K";
  private static final String CLEAR_BELOW = "\u001b[J";
  private static final String RESET = "\u001b[0m";

  private final PrintStream stream;
  private final IntSupplier width;
  private final IntSupplier height;
  private final boolean terminal;
  private volatile List<String> status = List.of();

  /// @param size of the terminal
  Screen(PrintStream stream, Terminals.Size size) {
    this.stream = stream;
    this.width = size.width();
    this.height = size.height();
    this.terminal = width.getAsInt() > 0;
  }

  boolean isTerminal() {
    return terminal;
  }

  /// How many lines may be drawn again and again.
  int height() {
    return Math.max(3, height.getAsInt() - 2);
  }

  /// How many characters the last line may have.
  int width() {
    return Math.max(20, width.getAsInt() - 1);
  }

  /// Writes lines above the last ones.
  void say(String text) {
    if (status.isEmpty()) {
      stream.println(text);
    } else {
      stream.print(drawing(Stream.concat(text.lines(), status.stream()).toList()));
      stream.flush();
    }
  }

  /// Draws the last line again; does nothing where there is no terminal. The caller sees to it that
  /// it fits.
  void status(String line) {
    status(List.of(line));
  }

  /// Draws the last lines again; does nothing where there is no terminal. The caller sees to it
  /// that they fit, and that there are fewer of them than the terminal has.
  void status(List<String> lines) {
    if (terminal && !lines.equals(status)) {
      stream.print(drawing(lines));
      stream.flush();
      status = List.copyOf(lines);
    }
  }

  /// Takes the last lines away.
  void clear() {
    if (!status.isEmpty()) {
      stream.print(erasing());
      stream.flush();
      status = List.of();
    }
  }

  /// Says that a second signal has ended the process, in the place of what was drawn. Whoever draws
  /// meanwhile is not waited for: it is over.
  void sayLast(String text) {
    stream.println((status.isEmpty() ? "" : erasing()) + "stopped at once; " + text);
    stream.flush();
  }

  private String erasing() {
    return status.size() < 2 ? CLEAR : UP.formatted(status.size() - 1) + CLEAR_BELOW;
  }

  /// In the place of the last lines. Each is written over: terminals that are cleared from their
  /// first line on keep what was there, as if it had been scrolled away.
  private String drawing(List<String> lines) {
    return status.size() < 2
        ? CLEAR + String.join(System.lineSeparator(), lines)
        : UP.formatted(status.size() - 1)
            + String.join(CLEAR_REST + System.lineSeparator(), lines)
            + CLEAR_BELOW;
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
