package dev.handoff.store;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Which text every database takes. One says no to NUL, another to lone surrogates, a third to long
/// keys of an index; the verdict must not depend on which one is there, so we say no before it is
/// asked.
final class Text {

  /// As much as the longest key takes: 512 characters of three bytes each. PostgreSQL has room for
  /// about 2,700 bytes in an entry of an index.
  static final int MOST_INDEXED = 1_536;

  private Text() {}

  /// Why this text cannot be stored, or null if it can.
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

  /// The same for text that is searched by.
  static @Nullable String indexedFault(@Nullable String text) {
    String fault = fault(text);
    if (fault == null && text != null && text.length() > MOST_INDEXED / 3) {
      int bytes = text.getBytes(StandardCharsets.UTF_8).length;
      return bytes > MOST_INDEXED ? bytes + " bytes, more than " + MOST_INDEXED : null;
    }
    return fault;
  }

  /// Whether this text can be stored at all; one that cannot matches nothing.
  static boolean storable(@Nullable String text) {
    return fault(text) == null;
  }
}
