package dev.handoff.plan;

import dev.handoff.internal.text.SafeText;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/// Content of a file in a change: its bytes, or the hash of stored bytes.
public sealed interface Content {

  /// Maximum content of one file: 10 MiB.
  int MOST_BYTES = 10 << 20;

  /// Content from a copy of these bytes.
  static Content of(byte[] bytes) {
    Objects.requireNonNull(bytes, "bytes");
    return new Bytes(bytes.clone());
  }

  /// Content from a text in UTF-8.
  ///
  /// @throws IllegalArgumentException if the text contains a lone surrogate, which UTF-8 cannot
  ///   encode
  static Content text(String text) {
    Objects.requireNonNull(text, "text");
    if (!SafeText.isWhole(text)) {
      throw new IllegalArgumentException(
          "the text has half of a character in it, which UTF-8 does not have: hand over bytes");
    }
    return new Bytes(text.getBytes(StandardCharsets.UTF_8));
  }

  /// Content that is already stored. An unknown hash is answered with [ChangeAnswer.UnknownBase].
  ///
  /// @param sha256 SHA-256 of the content, in lower-case hex
  static Content stored(String sha256) {
    return new Stored(sha256);
  }

  /// Content by value.
  final class Bytes implements Content {

    private final byte[] bytes;

    private Bytes(byte[] bytes) {
      this.bytes = bytes;
    }

    public int length() {
      return bytes.length;
    }

    /// Original bytes, not a copy: read only.
    public byte[] bytes() {
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

  /// Content by hash.
  ///
  /// @param sha256 SHA-256 in lower-case hex
  record Stored(String sha256) implements Content {
    public Stored {
      Objects.requireNonNull(sha256, "sha256");
    }
  }
}
