package dev.handoff.store;

/// A content made ready to be stored: named by its hash, and packed. What that costs is paid by
/// whoever makes it, not by the store's threads.
public final class Blob {

  /// The largest content: 10 MiB.
  public static final int MOST_BYTES = 10 << 20;

  private final String sha256;
  private final byte[] packed;
  private final int length;

  private Blob(String sha256, byte[] packed, int length) {
    this.sha256 = sha256;
    this.packed = packed;
    this.length = length;
  }

  /// @throws IllegalArgumentException if the content is larger than [#MOST_BYTES]
  public static Blob of(byte[] content) {
    if (content.length > MOST_BYTES) {
      throw new IllegalArgumentException(
          "a content of %d bytes cannot be stored: it has more than %d; leave it out or divide it"
              .formatted(content.length, MOST_BYTES));
    }
    return new Blob(Hashes.of(content), Packing.pack(content), content.length);
  }

  /// The SHA-256 of the content, in lower-case hex.
  public String sha256() {
    return sha256;
  }

  /// How long the content is.
  public int length() {
    return length;
  }

  /// How much room it takes.
  public int packedLength() {
    return packed.length;
  }

  byte[] packed() {
    return packed;
  }

  @Override
  public String toString() {
    return "Blob[%s, %d bytes]".formatted(sha256, length);
  }
}
