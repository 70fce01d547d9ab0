package dev.handoff.job;

import org.jspecify.annotations.Nullable;

/// Text from anywhere (errors of handlers, log lines, reasons), made fit to be stored and shown.
public final class Text {

  private static final String CUT = "… (cut)";
  private static final char REPLACEMENT = '\uFFFD';

  private Text() {}

  /// Replaces lone surrogates and NUL, which no database takes, and cuts to at most so many
  /// characters.
  public static String clean(@Nullable String text, int maxLength) {
    if (text == null) {
      return "";
    }
    String cut = text.length() <= maxLength ? text : cut(text, maxLength);
    return isClean(cut) ? cut : replaced(cut);
  }

  /// The same, cut to at most so many bytes as UTF-8.
  ///
  /// @param mostBytes no fewer than the mark of a cut has
  public static String cleanBytes(@Nullable String text, int mostBytes) {
    var fits = clean(text, mostBytes);
    for (int bytes = bytes(fits); bytes > mostBytes; bytes = bytes(fits)) {
      fits = clean(text, (int) ((long) fits.length() * mostBytes / bytes));
    }
    return fits;
  }

  /// How many bytes the text has as UTF-8.
  public static int bytes(String text) {
    int bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
    }
    return bytes;
  }

  /// Never through the middle of a pair of surrogates.
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

  /// The text as it may stand in a message: short, and without control or direction characters.
  public static String shown(@Nullable String text) {
    return shown(text, 100);
  }

  /// The same, cut to at most so many characters before what is in it is replaced.
  static String shown(@Nullable String text, int maxLength) {
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
