package dev.handoff.handlers;

/// Truncation of text by its size as JSON. Results above 256 KiB are refused, and escaped control
/// characters take six times their size.
final class JsonBound {

  /// Limit for each of the two texts in a result.
  static final int MOST_BYTES = 100 * 1024;

  private JsonBound() {}

  /// Beginning of the text, within the limit.
  static String start(String text) {
    int size = 0;
    int to = 0;
    while (to < text.length()) {
      int character = text.codePointAt(to);
      size += bytes(character);
      if (size > MOST_BYTES) {
        break;
      }
      to += Character.charCount(character);
    }
    return text.substring(0, to);
  }

  /// End of the text, within the limit.
  static String end(String text) {
    int size = 0;
    int from = text.length();
    while (from > 0) {
      int character = text.codePointBefore(from);
      size += bytes(character);
      if (size > MOST_BYTES) {
        break;
      }
      from -= Character.charCount(character);
    }
    return text.substring(from);
  }

  private static int bytes(int character) {
    if (character < 0x80) {
      return character < ' ' ? 6 : character == '"' || character == '\\' ? 2 : 1;
    }
    return character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
  }
}
