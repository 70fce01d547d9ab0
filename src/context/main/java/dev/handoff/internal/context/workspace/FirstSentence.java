package dev.handoff.internal.context.workspace;

/// First sentence of a text, on one line.
final class FirstSentence {

  static final int MOST = 200;

  private FirstSentence() {}

  /// First sentence; empty if none. It ends at a full stop, a blank line or a doc tag, and is cut
  /// at the length limit.
  static String first(String text) {
    var sentence = new StringBuilder();
    int lineEnds = 0;
    for (int at = afterMarker(text); at < text.length() && sentence.length() < MOST; at++) {
      char character = text.charAt(at);
      if (Character.isWhitespace(character)) {
        lineEnds += character == '\n' ? 1 : 0;
        if (lineEnds > 1 && !sentence.isEmpty()) {
          break;
        }
        continue;
      }
      boolean parted = at > 0 && Character.isWhitespace(text.charAt(at - 1));
      if (parted && !sentence.isEmpty()) {
        if (lineEnds > 0 && character == '@') {
          break;
        }
        sentence.append(' ');
      }
      lineEnds = 0;
      sentence.append(character);
      if (ends(text, at)) {
        break;
      }
    }
    return cut(sentence.toString(), MOST);
  }

  /// Offset after a list marker; 0 without a list.
  private static int afterMarker(String text) {
    int at = 0;
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    int begin = at;
    while (at < text.length() && Character.isDigit(text.charAt(at))) {
      at++;
    }
    var marks = at > begin ? ".)" : "-*+";
    boolean marked = at + 1 < text.length() && marks.indexOf(text.charAt(at)) >= 0;
    return marked && text.charAt(at + 1) == ' ' ? at + 2 : 0;
  }

  private static boolean ends(String text, int at) {
    char character = text.charAt(at);
    if (character == '\u3002') {
      return true;
    }
    boolean stop = character == '.' || character == '!' || character == '?';
    boolean last = at + 1 == text.length() || Character.isWhitespace(text.charAt(at + 1));
    return stop && last && !isShortening(text, at);
  }

  /// Whether the stop belongs to an abbreviation such as `e.g.`: a letter between two stops.
  private static boolean isShortening(String text, int at) {
    return at >= 2 && text.charAt(at - 2) == '.' && Character.isLetter(text.charAt(at - 1));
  }

  /// Text joined to one line and cut at the limit.
  static String line(CharSequence text, int most) {
    var line = new StringBuilder(Math.min(text.length(), most));
    boolean parted = false;
    for (int at = 0; at < text.length() && line.length() <= most; at++) {
      char character = text.charAt(at);
      if (Character.isWhitespace(character)) {
        parted = true;
      } else {
        if (parted && !line.isEmpty()) {
          line.append(' ');
        }
        parted = false;
        line.append(character);
      }
    }
    return cut(line.toString(), most);
  }

  static String cut(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
    return text.substring(0, end).stripTrailing() + "…";
  }
}
