package dev.handoff.internal.store;

/// Content prepared for the store: hashed and packed. The caller pays this cost, not the store's
/// threads.
public final class PackedBlob {

  /// Largest content: 10 MiB.
  public static final int MOST_BYTES = 10 << 20;

  private final String sha256;
  private final byte[] packed;
  private final int length;

  private PackedBlob(String sha256, byte[] packed, int length) {
    this.sha256 = sha256;
    this.packed = packed;
    this.length = length;
  }

  /// @throws IllegalArgumentException if the content is larger than [#MOST_BYTES]
  public static PackedBlob of(byte[] content) {
    if (content.length > MOST_BYTES) {
      throw new IllegalArgumentException(
          "a content of %d bytes cannot be stored: it has more than %d; leave it out or divide it"
              .formatted(content.length, MOST_BYTES));
    }
    return new PackedBlob(ContentHashes.of(content), BlobPacking.pack(content), content.length);
  }

  /// SHA-256 of the content, in lower-case hex.
  public String sha256() {
    return sha256;
  }

  /// Length of the content.
  public int length() {
    return length;
  }

  /// Length as stored.
  public int packedLength() {
    return packed.length;
  }

  public byte[] packed() {
    return packed;
  }

  @Override
  public String toString() {
    return "Blob[%s, %d bytes]".formatted(sha256, length);
  }
}
