package dev.handoff.cli;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A stream for answers that knows whether they arrived. A `PrintStream` alone knows that something
/// went wrong, and not what.
final class Answers extends PrintStream {

  private final Sink sink;

  Answers(OutputStream out) {
    this(new Sink(out));
  }

  private Answers(Sink sink) {
    super(sink, true, StandardCharsets.UTF_8);
    this.sink = sink;
  }

  /// Why not everything could be written; empty if it was, or if whoever read it has had enough.
  Optional<String> failure() {
    flush();
    return Optional.ofNullable(sink.failure)
        .map(Words::of)
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
