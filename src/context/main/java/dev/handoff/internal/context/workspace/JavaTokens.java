package dev.handoff.internal.context.workspace;

import java.util.Arrays;

/// Tokens of a Java source by index, including doc comments but no other comments. Accepts any
/// text: an unclosed literal ends at its line end, an unclosed comment or text block at the end of
/// text.
final class JavaTokens {

  enum Kind {
    /// Name, keyword or number.
    WORD,
    /// Single character.
    SIGN,
    /// String, text block or character literal.
    LITERAL,
    /// Block doc comment, or adjacent `///` lines.
    DOC
  }

  private static final Kind[] KINDS = Kind.values();

  private final String text;
  private int[] from = new int[256];
  private int[] to = new int[256];
  private byte[] kinds = new byte[256];
  private int size;
  private int at;

  JavaTokens(String text) {
    this.text = text;
    while (at < text.length()) {
      next();
    }
  }

  int size() {
    return size;
  }

  Kind kind(int token) {
    return KINDS[kinds[token]];
  }

  int from(int token) {
    return from[token];
  }

  int to(int token) {
    return to[token];
  }

  String text(int token) {
    return text.substring(from[token], to[token]);
  }

  /// Tokens from first to last, joined without white space.
  String text(int first, int last) {
    var words = new StringBuilder();
    for (int token = first; token <= last; token++) {
      words.append(text, from[token], to[token]);
    }
    return words.toString();
  }

  boolean is(int token, Kind kind) {
    return token >= 0 && token < size && kinds[token] == kind.ordinal();
  }

  boolean isSign(int token, char sign) {
    return is(token, Kind.SIGN) && text.charAt(from[token]) == sign;
  }

  boolean isWord(int token, String word) {
    return is(token, Kind.WORD)
        && to[token] - from[token] == word.length()
        && text.startsWith(word, from[token]);
  }

  private void next() {
    char character = text.charAt(at);
    if (isPart(character)) {
      word();
    } else if (character == '/' && text.startsWith("//", at)) {
      lineComment();
    } else if (character == '/' && text.startsWith("/*", at)) {
      blockComment();
    } else if (character == '"' && text.startsWith("\"\"\"", at)) {
      textBlock();
    } else if (character == '"' || character == '\'') {
      quoted(character);
    } else if (Character.isWhitespace(character) || character == '\uFEFF') {
      at++;
    } else {
      add(Kind.SIGN, at, at + 1);
    }
  }

  private void word() {
    int start = at;
    while (at < text.length() && isPart(text.charAt(at))) {
      at++;
    }
    add(Kind.WORD, start, at);
  }

  private static boolean isPart(char character) {
    if (character < 128) {
      return character >= 'a' && character <= 'z'
          || character >= 'A' && character <= 'Z'
          || character >= '0' && character <= '9'
          || character == '_'
          || character == '$';
    }
    return Character.isLetterOrDigit(character) || Character.isSurrogate(character);
  }

  private void lineComment() {
    int start = at;
    boolean doc = text.startsWith("///", at);
    at = lineEnd(at);
    if (!doc) {
      return;
    }
    int last = size - 1;
    boolean follows = is(last, Kind.DOC) && text.startsWith("///", from[last]) && joins(last);
    if (follows) {
      to[last] = at;
    } else {
      add(Kind.DOC, start, at);
    }
  }

  /// Whether only a single line break separates the comment lines.
  private boolean joins(int last) {
    int lineEnds = 0;
    int place = to[last];
    while (place < text.length() && Character.isWhitespace(text.charAt(place))) {
      lineEnds += text.charAt(place) == '\n' ? 1 : 0;
      place++;
    }
    return lineEnds == 1 && text.startsWith("///", place);
  }

  private void blockComment() {
    int end = text.indexOf("*/", at + 2);
    int stop = end < 0 ? text.length() : end + 2;
    if (text.startsWith("/**", at) && stop - at > 4) {
      add(Kind.DOC, at, stop);
    }
    at = stop;
  }

  private void textBlock() {
    int place = at + 3;
    while (place < text.length() && !text.startsWith("\"\"\"", place)) {
      place += text.charAt(place) == '\\' ? 2 : 1;
    }
    add(Kind.LITERAL, at, Math.min(place + 3, text.length()));
  }

  private void quoted(char quote) {
    int place = at + 1;
    while (place < text.length()
        && text.charAt(place) != quote
        && text.charAt(place) != '\n'
        && text.charAt(place) != '\r') {
      place += text.charAt(place) == '\\' ? 2 : 1;
    }
    boolean closed = place < text.length() && text.charAt(place) == quote;
    add(Kind.LITERAL, at, closed ? place + 1 : Math.min(place, text.length()));
  }

  private int lineEnd(int place) {
    int end = text.indexOf('\n', place);
    return end < 0 ? text.length() : end;
  }

  private void add(Kind kind, int start, int end) {
    if (size == from.length) {
      int more = size * 2;
      from = Arrays.copyOf(from, more);
      to = Arrays.copyOf(to, more);
      kinds = Arrays.copyOf(kinds, more);
    }
    from[size] = start;
    to[size] = end;
    kinds[size] = (byte) kind.ordinal();
    size++;
    at = end;
  }
}
