package dev.handoff.internal.ledger;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/// Checksum behind stored bytes, so that corrupt or truncated content is detected before it is
/// decoded.
public final class Checksum {

  static final int BYTES = Integer.BYTES;

  private Checksum() {}

  /// Appends the checksum to the content.
  public static byte[] behind(byte[] content) {
    return ByteBuffer.allocate(content.length + BYTES)
        .put(content)
        .putInt(of(content, content.length))
        .array();
  }

  /// Returns the content without its checksum.
  ///
  /// @throws IOException if the content is damaged
  public static byte[] verified(byte[] stored) throws IOException {
    return Arrays.copyOf(stored, verifiedLength(stored));
  }

  /// Returns the length of the content.
  ///
  /// @throws IOException if the content is damaged
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
