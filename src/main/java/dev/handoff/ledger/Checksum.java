package dev.handoff.ledger;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/// Stands behind stored bytes, so that a flipped or missing one is found before anything is made of
/// them.
public final class Checksum {

  static final int BYTES = Integer.BYTES;

  private Checksum() {}

  /// The content with its checksum.
  public static byte[] behind(byte[] content) {
    return ByteBuffer.allocate(content.length + BYTES)
        .put(content)
        .putInt(of(content, content.length))
        .array();
  }

  /// The content, without its checksum.
  ///
  /// @throws IOException if it is not whole
  public static byte[] verified(byte[] stored) throws IOException {
    return Arrays.copyOf(stored, verifiedLength(stored));
  }

  /// How long the content is.
  ///
  /// @throws IOException if it is not whole
  static int verifiedLength(byte[] stored) throws IOException {
    int end = stored.length - BYTES;
    if (end < 0) {
      throw new EOFException("only " + stored.length + " bytes");
    }
    if (ByteBuffer.wrap(stored).getInt(end) != of(stored, end)) {
      throw new IOException("its checksum does not fit its content");
    }
    return end;
  }

  static int of(byte[] bytes, int length) {
    var crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }
}
