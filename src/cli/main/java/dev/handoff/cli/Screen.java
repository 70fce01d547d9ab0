package dev.handoff.cli;

import java.io.PrintStream;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.stream.Stream;

/// Terminal output: scrolling lines above a redrawn status area. Confined to one thread, except for
/// [#sayLast].
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

  /// @param size size of the terminal
  Screen(PrintStream stream, TerminalSetup.Size size) {
    this.stream = stream;
    this.width = size.width();
    this.height = size.height();
    this.terminal = width.getAsInt() > 0;
  }

  boolean isTerminal() {
    return terminal;
  }

  /// Maximum number of status lines.
  int height() {
    return Math.max(3, height.getAsInt() - 2);
  }

  /// Maximum width of a status line.
  int width() {
    return Math.max(20, width.getAsInt() - 1);
  }

  /// Prints lines above the status area.
  void say(String text) {
    if (status.isEmpty()) {
      stream.println(text);
    } else {
      stream.print(drawing(Stream.concat(text.lines(), status.stream()).toList()));
      stream.flush();
    }
  }

  /// Redraws the status line; no effect without a terminal. The line must fit the width.
  void status(String line) {
    status(List.of(line));
  }

  /// Redraws the status lines; no effect without a terminal. The lines must fit the width and the
  /// height.
  void status(List<String> lines) {
    if (terminal && !lines.equals(status)) {
      stream.print(drawing(lines));
      stream.flush();
      status = List.copyOf(lines);
    }
  }

  /// Removes the status lines.
  void clear() {
    if (!status.isEmpty()) {
      stream.print(erasing());
      stream.flush();
      status = List.of();
    }
  }

  /// Replaces the status area by a final message when a second signal ends the process. Does not
  /// wait for a thread that is drawing.
  void sayLast(String text) {
    stream.println((status.isEmpty() ? "" : erasing()) + "stopped at once; " + text);
    stream.flush();
  }

  private String erasing() {
    return status.size() < 2 ? CLEAR : UP.formatted(status.size() - 1) + CLEAR_BELOW;
  }

  /// Control sequence that overwrites the status area line by line. Clearing from its first line
  /// would make some terminals save the old lines to their scrollback.
  private String drawing(List<String> lines) {
    return status.size() < 2
        ? CLEAR + String.join(System.lineSeparator(), lines)
        : UP.formatted(status.size() - 1)
            + String.join(CLEAR_REST + System.lineSeparator(), lines)
            + CLEAR_BELOW;
  }

  /// Styled text if the terminal supports it.
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
