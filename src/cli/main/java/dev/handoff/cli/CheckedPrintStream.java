package dev.handoff.cli;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Output stream that keeps the exception of a failed write; `PrintStream` only has an error flag.
final class CheckedPrintStream extends PrintStream {

  private final Sink sink;

  CheckedPrintStream(OutputStream out) {
    this(new Sink(out));
  }

  private CheckedPrintStream(Sink sink) {
    super(sink, true, StandardCharsets.UTF_8);
    this.sink = sink;
  }

  /// Reason of a failed write; empty on success or if the reader closed its pipe.
  Optional<String> failure() {
    flush();
    return Optional.ofNullable(sink.failure)
        .map(ErrorText::of)
        .filter(reason -> !reason.toLowerCase(Locale.ROOT).contains("broken pipe"));
  }

  private static final class Sink extends FilterOutputStream {
    private @Nullable IOException failure;

    Sink(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
      try {
        out.write(bytes, from, count);
      } catch (IOException notWritten) {
        failure = notWritten;
        throw notWritten;
      }
    }
  }
}
