package dev.handoff.internal.store;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Validation of text for all databases. One rejects NUL, another lone surrogates, a third long
/// index keys. The result must not depend on the database, so all are rejected in advance.
final class StorableText {

  /// Size of the longest job key: 512 characters of three bytes. PostgreSQL allows about 2,700
  /// bytes per index entry.
  static final int MOST_INDEXED = 1_536;

  private StorableText() {}

  /// Reason why a text cannot be stored; null if it can.
  static @Nullable String fault(@Nullable String text) {
    if (text == null) {
      return null;
    }
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == 0) {
        return "NUL at character " + at;
      }
      if (Character.isSurrogate(c)) {
        boolean pair =
            Character.isHighSurrogate(c)
                && at + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(at + 1));
        if (!pair) {
          return "half a surrogate pair at character " + at;
        }
        at++;
      }
    }
    return null;
  }

  /// Reason why a text cannot be stored in an index; null if it can.
  static @Nullable String indexedFault(@Nullable String text) {
    String fault = fault(text);
    if (fault == null && text != null && text.length() > MOST_INDEXED / 3) {
      int bytes = text.getBytes(StandardCharsets.UTF_8).length;
      return bytes > MOST_INDEXED ? bytes + " bytes, more than " + MOST_INDEXED : null;
    }
    return fault;
  }

  /// Returns whether a text can be stored. A text that cannot never matches a query.
  static boolean storable(@Nullable String text) {
    return fault(text) == null;
  }
}
