package dev.handoff;

import dev.handoff.job.Text;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/// What a file holds, as a change hands it over: its bytes, or the name of what is stored already.
public sealed interface Content {

  /// The largest content of one file: 10 MiB.
  int MOST_BYTES = 10 << 20;

  /// The bytes are copied.
  static Content of(byte[] bytes) {
    Objects.requireNonNull(bytes, "bytes");
    return new Bytes(bytes.clone());
  }

  /// A text as UTF-8.
  ///
  /// @throws IllegalArgumentException if there is half of a character (a lone surrogate) in it
  static Content text(String text) {
    Objects.requireNonNull(text, "text");
    if (!Text.isWhole(text)) {
      throw new IllegalArgumentException(
          "the text has half of a character in it, which UTF-8 does not have: hand over bytes");
    }
    return new Bytes(text.getBytes(StandardCharsets.UTF_8));
  }

  /// What is stored already. Answered with [ChangeAnswer.UnknownBase] if it is not.
  ///
  /// @param sha256 of the content, in lower-case hex
  static Content stored(String sha256) {
    return new Stored(sha256);
  }

  /// The content itself.
  final class Bytes implements Content {

    private final byte[] bytes;

    private Bytes(byte[] bytes) {
      this.bytes = bytes;
    }

    public int length() {
      return bytes.length;
    }

    byte[] bytes() {
      return bytes;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Bytes same && Arrays.equals(bytes, same.bytes);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
      return "Bytes[" + bytes.length + "]";
    }
  }

  /// A content by its hash.
  ///
  /// @param sha256 in lower-case hex
  record Stored(String sha256) implements Content {
    public Stored {
      Objects.requireNonNull(sha256, "sha256");
    }
  }
}
