package dev.handoff.cli;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/// Reads numbered lines from a stream. A line above the length limit is skipped without buffering.
final class LineReader implements AutoCloseable {

  /// Covers the largest job, including JSON escapes.
  static final int MOST_BYTES = 1024 * 1024;

  /// @param number starts at 1
  /// @param bytes without line end; truncated if too long
  record Line(int number, byte[] bytes, boolean tooLong) {

    boolean isBlank() {
      for (byte each : bytes) {
        if (each != ' ' && each != '\t') {
          return false;
        }
      }
      return true;
    }
  }

  private final InputStream in;
  private int number;

  LineReader(InputStream in) {
    this.in = new BufferedInputStream(in, 64 * 1024);
  }

  /// Next line; null after the last.
  @Nullable Line next() throws IOException {
    int first = in.read();
    if (first < 0) {
      return null;
    }
    number++;
    var bytes = new ByteArrayOutputStream(256);
    boolean tooLong = false;
    for (int each = first; each >= 0 && each != '\n'; each = in.read()) {
      if (bytes.size() < MOST_BYTES) {
        bytes.write(each);
      } else {
        tooLong = true;
      }
    }
    return new Line(number, withoutReturn(bytes.toByteArray()), tooLong);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  private static byte[] withoutReturn(byte[] line) {
    boolean windows = line.length > 0 && line[line.length - 1] == '\r';
    return windows ? java.util.Arrays.copyOf(line, line.length - 1) : line;
  }
}
