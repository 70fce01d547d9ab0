package dev.handoff.store;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/// How contents stand in their table: a byte that says how, and then the content as it is or
/// deflated, whichever is shorter.
///
/// Deflating costs ten times as much as hashing. It gains nothing on what is compressed or
/// encrypted already: such content is known by its bytes being about equally frequent, and is not
/// tried. Neither is what is short: of all the time that recording a change of 1 KiB takes it was a
/// third, to save a third of a KiB.
final class Packing {

  private static final byte RAW = 0;
  private static final byte DEFLATED = 1;

  /// What is shorter gains nothing worth the time. PostgreSQL compresses from there, too.
  private static final int LEAST_DEFLATED = 2_048;

  private static final int MOST_LOOKED_AT = 512;

  /// A content is tried if one pair in so many is alike.
  private static final int ALIKE_IN = 150;

  private static final int MOST_BUFFER = 64 << 10;

  private Packing() {}

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

  /// Looks at some bytes, spread over the content: how often are two of them alike? Of random bytes
  /// one pair in 256 is, of text one in 15.
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

  /// Null if it would not become shorter.
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

  /// The content, or null if these bytes are none. A few bytes may claim to be gigabytes: no more
  /// than the largest content is ever made of them.
  static byte @Nullable [] unpack(byte[] packed) {
    if (packed.length == 0 || packed.length > 1 + Blob.MOST_BYTES) {
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
        if (stuck || content.size() + length > Blob.MOST_BYTES) {
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
