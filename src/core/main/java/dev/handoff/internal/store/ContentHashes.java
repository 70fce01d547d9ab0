package dev.handoff.internal.store;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;

/// SHA-256 as hex text for people and as bytes for tables. Both forms sort alike.
public final class ContentHashes {

  static final int BYTES = 32;

  private static final HexFormat HEX = HexFormat.of();

  private ContentHashes() {}

  static String of(byte[] content) {
    return hex(digest(content));
  }

  private static byte[] digest(byte[] content) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(content);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java has SHA-256", impossible);
    }
  }

  /// Returns whether the text can be the hash of a content.
  static boolean isName(String text) {
    return text.length() == 2 * BYTES
        && text.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
  }

  public static byte[] bytes(String sha256) {
    return HEX.parseHex(sha256);
  }

  public static String hex(byte[] hash) {
    return HEX.formatHex(hash);
  }

  /// Concatenation of hashes.
  public static byte[] joined(Collection<String> sha256s) {
    var joined = new byte[BYTES * sha256s.size()];
    int at = 0;
    for (var sha256 : sha256s) {
      System.arraycopy(bytes(sha256), 0, joined, at, BYTES);
      at += BYTES;
    }
    return joined;
  }

  /// First hashes of a concatenation, up to a number.
  public static List<String> first(int most, byte[] joined) {
    int count = Math.min(most, joined.length / BYTES);
    var hashes = new ArrayList<String>(count);
    for (int at = 0; at < count; at++) {
      hashes.add(HEX.formatHex(joined, at * BYTES, (at + 1) * BYTES));
    }
    return hashes;
  }

  /// Concatenation without its first hashes.
  static byte[] without(int first, byte[] joined) {
    return Arrays.copyOfRange(joined, Math.min(joined.length, first * BYTES), joined.length);
  }
}
