package dev.handoff.internal.text;

import java.nio.charset.StandardCharsets;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Time-ordered ids of 26 characters (Crockford's base 32): 48 bits of time, 70 bits of order and
/// chance, and the partition in the last two characters, so that any node routes an id without a
/// lookup.
///
/// One generator makes strictly rising ids, also within a millisecond and after a clock is set
/// back. It is not thread-safe: each actor that makes ids has its own. [#of] is for callers that
/// order their ids themselves.
public final class Ulid {

  /// Number of partitions that two characters can encode.
  public static final int MAX_PARTITIONS = 1024;

  private static final char[] DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ".toCharArray();
  private static final int LENGTH = 26;
  private static final long TAIL_MASK = (1L << 35) - 1;

  private final RandomGenerator random;
  private long millis = -1;
  private long chance;
  private long order;

  public Ulid(RandomGenerator random) {
    this.random = random;
  }

  /// Returns the next id in a partition.
  public String next(long now, int partition) {
    if (partition < 0 || partition >= MAX_PARTITIONS) {
      throw new IllegalArgumentException(
          "partition must be 0 to %d, was %d".formatted(MAX_PARTITIONS - 1, partition));
    }
    if (now > millis) {
      millis = now;
      chance = random.nextLong() & TAIL_MASK;
      order = random.nextLong() & (TAIL_MASK >> 1);
    } else {
      order++;
    }
    return text(millis, order & TAIL_MASK, chance, partition);
  }

  /// Returns an id for callers that order their ids themselves.
  ///
  /// @param order 35 bits: of two ids in a millisecond the one with the smaller order is smaller
  /// @param chance 35 random bits
  public static String of(long millis, long order, long chance, int partition) {
    return text(millis, order & TAIL_MASK, chance & TAIL_MASK, partition);
  }

  private static String text(long millis, long order, long chance, int partition) {
    var text = new byte[LENGTH];
    put(text, 0, 10, millis);
    put(text, 10, 7, order);
    put(text, 17, 7, chance);
    put(text, 24, 2, partition);
    return new String(text, StandardCharsets.ISO_8859_1);
  }

  private static void put(byte[] text, int from, int count, long value) {
    for (int i = from + count - 1; i >= from; i--) {
      text[i] = (byte) DIGITS[(int) (value & 31)];
      value >>>= 5;
    }
  }

  /// Returns the partition in an id.
  ///
  /// @throws IllegalArgumentException if the text is not an id
  public static int partition(String id) {
    if (!isValid(id)) {
      throw new IllegalArgumentException(
          "not an id: an id has 26 characters of 0-9 and A-Z without I, L, O, U");
    }
    return digit(id.charAt(LENGTH - 2)) << 5 | digit(id.charAt(LENGTH - 1));
  }

  public static boolean isValid(@Nullable String id) {
    if (id == null || id.length() != LENGTH || id.charAt(0) > '7') {
      return false;
    }
    for (int i = 0; i < LENGTH; i++) {
      if (digit(id.charAt(i)) < 0) {
        return false;
      }
    }
    return true;
  }

  private static int digit(char c) {
    if (c >= '0' && c <= '9') {
      return c - '0';
    }
    return switch (c) {
      case 'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H' -> c - 'A' + 10;
      case 'J', 'K' -> c - 'J' + 18;
      case 'M', 'N' -> c - 'M' + 20;
      case 'P', 'Q', 'R', 'S', 'T' -> c - 'P' + 22;
      case 'V', 'W', 'X', 'Y', 'Z' -> c - 'V' + 27;
      default -> -1;
    };
  }
}
