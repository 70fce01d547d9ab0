package dev.handoff.cli;

/// Escapes untrusted text for a terminal: characters that move the cursor, change colours or
/// reverse the text direction become Unicode escapes.
final class TerminalText {

  private TerminalText() {}

  /// Text as one line; line breaks are escaped too.
  static String line(String text) {
    return escape(text, false);
  }

  /// Text with its line breaks.
  static String lines(String text) {
    return escape(text, true);
  }

  /// First line, truncated to this number of characters.
  static String brief(String text, int most) {
    var first = line(text.strip().lines().findFirst().orElse(""));
    return first.codePointCount(0, first.length()) <= most
        ? first
        : first.substring(0, first.offsetByCodePoints(0, Math.max(0, most - 1))) + "…";
  }

  private static String escape(String text, boolean breaks) {
    int at = 0;
    while (at < text.length() && isPlain(text.codePointAt(at), breaks)) {
      at += Character.charCount(text.codePointAt(at));
    }
    if (at == text.length()) {
      return text;
    }
    var plain = new StringBuilder(text.length() + 16).append(text, 0, at);
    text.substring(at)
        .codePoints()
        .forEach(
            character -> {
              if (isPlain(character, breaks)) {
                plain.appendCodePoint(character);
              } else {
                for (char unit : Character.toChars(character)) {
                  plain.append("\\u%04x".formatted((int) unit));
                }
              }
            });
    return plain.toString();
  }

  private static boolean isPlain(int character, boolean breaks) {
    return switch (Character.getType(character)) {
      case Character.CONTROL -> breaks && (character == '\n' || character == '\t');
      case Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
