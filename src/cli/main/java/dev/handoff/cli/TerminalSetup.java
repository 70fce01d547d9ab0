package dev.handoff.cli;

import java.io.IOException;
import java.util.function.IntSupplier;
import org.jline.terminal.TerminalBuilder;
import org.jline.terminal.TerminalBuilder.SystemOutput;
import org.jline.terminal.spi.SystemStream;

/// Terminal properties of both output streams.
interface TerminalSetup {

  Size NONE = new Size(() -> 0, () -> 0);

  /// @param width in characters; 0 without a terminal
  /// @param height in lines
  record Size(IntSupplier width, IntSupplier height) {}

  Size out();

  Size err();

  /// No terminals: plain output only.
  static TerminalSetup none() {
    return of(NONE, NONE);
  }

  static TerminalSetup of(Size out, Size err) {
    return new TerminalSetup() {
      @Override
      public Size out() {
        return out;
      }

      @Override
      public Size err() {
        return err;
      }
    };
  }

  static TerminalSetup ofProcess() {
    return new TerminalSetup() {
      @Override
      public Size out() {
        return sizeOf(SystemStream.Output, SystemOutput.ForcedSysOut);
      }

      @Override
      public Size err() {
        return sizeOf(SystemStream.Error, SystemOutput.ForcedSysErr);
      }
    };
  }

  private static Size sizeOf(SystemStream stream, SystemOutput output) {
    if ("dumb".equals(System.getenv("TERM")) || !isTerminal(stream)) {
      return NONE;
    }
    try {
      var terminal =
          TerminalBuilder.builder()
              .system(true)
              .systemOutput(output)
              .nativeSignals(false)
              .dumb(true)
              .build();
      return new Size(
          () -> usable(terminal.getWidth(), 80, 20), () -> usable(terminal.getHeight(), 24, 5));
    } catch (IOException | IllegalStateException unknown) {
      return NONE;
    }
  }

  private static int usable(int size, int usual, int least) {
    return size == 0 ? usual : Math.max(least, size);
  }

  private static boolean isTerminal(SystemStream stream) {
    return TerminalBuilder.builder().getProviders(null, new IllegalStateException()).stream()
        .anyMatch(provider -> provider.isSystemStream(stream));
  }
}
