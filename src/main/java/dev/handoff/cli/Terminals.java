package dev.handoff.cli;

import java.io.IOException;
import java.util.function.IntSupplier;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.terminal.TerminalBuilder.SystemOutput;
import org.jline.terminal.spi.SystemStream;

/// Which of the outputs are terminals, and how wide they are now: 0 for one that is none.
interface Terminals {

  IntSupplier NONE = () -> 0;

  IntSupplier outWidth();

  IntSupplier errWidth();

  /// No terminals: plain lines everywhere.
  static Terminals none() {
    return new Terminals() {
      @Override
      public IntSupplier outWidth() {
        return NONE;
      }

      @Override
      public IntSupplier errWidth() {
        return NONE;
      }
    };
  }

  static Terminals ofProcess() {
    return new Terminals() {
      @Override
      public IntSupplier outWidth() {
        return widthOf(SystemStream.Output, SystemOutput.ForcedSysOut);
      }

      @Override
      public IntSupplier errWidth() {
        return widthOf(SystemStream.Error, SystemOutput.ForcedSysErr);
      }
    };
  }

  private static IntSupplier widthOf(SystemStream stream, SystemOutput output) {
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
      return () -> usable(terminal);
    } catch (IOException | IllegalStateException unknown) {
      return NONE;
    }
  }

  private static int usable(Terminal terminal) {
    int width = terminal.getWidth();
    return width == 0 ? 80 : Math.max(20, width);
  }

  private static boolean isTerminal(SystemStream stream) {
    return TerminalBuilder.builder().getProviders(null, new IllegalStateException()).stream()
        .anyMatch(provider -> provider.isSystemStream(stream));
  }
}
