package dev.handoff.internal.store;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/// Storage format of contents: one format byte, then the content, raw or deflated, whichever is
/// shorter.
///
/// Deflate costs ten times as much as the hash. Compressed or encrypted content gains nothing: its
/// bytes are about equally frequent, so it is recognised and not deflated. Short content is not
/// deflated either: that took a third of the time to record a change of 1 KiB, and saved a third of
/// a KiB.
final class BlobPacking {

  private static final byte RAW = 0;
  private static final byte DEFLATED = 1;

  /// Least size worth deflating. PostgreSQL compresses from this size too.
  private static final int LEAST_DEFLATED = 2_048;

  private static final int MOST_LOOKED_AT = 512;

  /// Deflate threshold: one equal pair of bytes in this many pairs.
  private static final int ALIKE_IN = 150;

  private static final int MOST_BUFFER = 64 << 10;

  private BlobPacking() {}

  static byte[] pack(byte[] content) {
    var deflated = isWorthDeflating(content) ? deflate(content) : null;
    if (deflated != null) {
      return deflated;
    }
    var packed = new byte[1 + content.length];
    packed[0] = RAW;
    System.arraycopy(content, 0, packed, 1, content.length);
    return packed;
  }

  /// Samples bytes of the content and counts equal pairs: one pair in 256 is equal in random bytes,
  /// one in 15 in text.
  private static boolean isWorthDeflating(byte[] content) {
    if (content.length < LEAST_DEFLATED) {
      return false;
    }
    int stride = 1 + content.length / MOST_LOOKED_AT;
    var counts = new int[256];
    for (int at = 0; at < content.length; at += stride) {
      counts[content[at] & 0xff]++;
    }
    long looked = 0;
    long alike = 0;
    for (int count : counts) {
      looked += count;
      alike += (long) count * (count - 1);
    }
    return alike * ALIKE_IN >= looked * (looked - 1);
  }

  /// Deflated content; null if that is not shorter.
  private static byte @Nullable [] deflate(byte[] content) {
    var packed = new byte[content.length];
    packed[0] = DEFLATED;
    var deflater = new Deflater(Deflater.BEST_SPEED, true);
    try {
      deflater.setInput(content);
      deflater.finish();
      int length = deflater.deflate(packed, 1, packed.length - 1);
      return deflater.finished() ? Arrays.copyOf(packed, 1 + length) : null;
    } finally {
      deflater.end();
    }
  }

  /// Content, or null if the bytes are invalid. Output is limited to the largest content, because a
  /// few bytes may inflate to gigabytes.
  static byte @Nullable [] unpack(byte[] packed) {
    if (packed.length == 0 || packed.length > 1 + PackedBlob.MOST_BYTES) {
      return null;
    }
    return switch (packed[0]) {
      case RAW -> Arrays.copyOfRange(packed, 1, packed.length);
      case DEFLATED -> inflate(packed);
      default -> null;
    };
  }

  private static byte @Nullable [] inflate(byte[] packed) {
    var inflater = new Inflater(true);
    try {
      inflater.setInput(packed, 1, packed.length - 1);
      var content = new ByteArrayOutputStream(2 * packed.length);
      var buffer = new byte[Math.min(MOST_BUFFER, 4 * packed.length)];
      while (!inflater.finished()) {
        int length = inflater.inflate(buffer);
        boolean stuck = length == 0 && !inflater.finished();
        if (stuck || content.size() + length > PackedBlob.MOST_BYTES) {
          return null;
        }
        content.write(buffer, 0, length);
      }
      return inflater.getRemaining() == 0 ? content.toByteArray() : null;
    } catch (DataFormatException damaged) {
      return null;
    } finally {
      inflater.end();
    }
  }
}
