package dev.handoff.internal.text;

import org.jspecify.annotations.Nullable;

/// Makes text from any source (handler errors, log lines, reasons) fit for the store and for
/// display.
public final class SafeText {

  private static final String CUT = "… (cut)";
  private static final char REPLACEMENT = '\uFFFD';

  private SafeText() {}

  /// Replaces lone surrogates and NUL, which databases refuse, and truncates to `maxLength`
  /// characters.
  public static String clean(@Nullable String text, int maxLength) {
    if (text == null) {
      return "";
    }
    String cut = text.length() <= maxLength ? text : cut(text, maxLength);
    return isClean(cut) ? cut : replaced(cut);
  }

  /// Cleans text as [#clean] does, and truncates it to `mostBytes` bytes of UTF-8.
  ///
  /// @param mostBytes at least the length of the truncation mark
  public static String cleanBytes(@Nullable String text, int mostBytes) {
    var fits = clean(text, mostBytes);
    for (int bytes = bytes(fits); bytes > mostBytes; bytes = bytes(fits)) {
      fits = clean(text, (int) ((long) fits.length() * mostBytes / bytes));
    }
    return fits;
  }

  /// Length of the text in bytes of UTF-8.
  public static int bytes(String text) {
    int bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
    }
    return bytes;
  }

  /// Truncates text, never between the two halves of a surrogate pair.
  private static String cut(String text, int maxLength) {
    int end = Math.max(0, maxLength - CUT.length());
    boolean halves = end > 0 && pairAt(text, end - 1);
    return text.substring(0, halves ? end - 1 : end) + CUT;
  }

  /// Whether the text has neither lone surrogates nor NUL.
  public static boolean isClean(String text) {
    return text.indexOf(0) < 0 && isWhole(text);
  }

  /// Whether the text has no lone surrogates.
  public static boolean isWhole(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        if (!pairAt(text, i)) {
          return false;
        }
        i++;
      }
    }
    return true;
  }

  /// Text for display in a message: short, without control or direction characters.
  public static String shown(@Nullable String text) {
    return shown(text, 100);
  }

  /// Text for display, truncated to `maxLength` characters before escapes are inserted.
  public static String shown(@Nullable String text, int maxLength) {
    var shown = new StringBuilder();
    clean(text, maxLength)
        .codePoints()
        .forEach(
            c -> {
              int type = Character.getType(c);
              if (type == Character.CONTROL
                  || type == Character.FORMAT
                  || type == Character.LINE_SEPARATOR) {
                shown.append(String.format("\\u%04x", c));
              } else {
                shown.appendCodePoint(c);
              }
            });
    return shown.toString();
  }

  private static String replaced(String text) {
    var clean = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c) && pairAt(text, i)) {
        clean.append(c).append(text.charAt(++i));
      } else {
        clean.append(c == 0 || Character.isSurrogate(c) ? REPLACEMENT : c);
      }
    }
    return clean.toString();
  }

  private static boolean pairAt(String text, int i) {
    return Character.isHighSurrogate(text.charAt(i))
        && i + 1 < text.length()
        && Character.isLowSurrogate(text.charAt(i + 1));
  }
}
