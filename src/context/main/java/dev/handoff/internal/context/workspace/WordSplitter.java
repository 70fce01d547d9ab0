package dev.handoff.internal.context.workspace;

import java.io.IOException;
import java.io.Reader;
import java.util.Arrays;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;

/// Tokenizer for lower-case words. Compound names are split: `parseHTTPHeader2` becomes `parse http
/// header 2`.
///
/// Separators are all characters except letters, digits and marks. Names are split where digits
/// start or end, before a capital after a lower-case letter, and before the last capital of a group
/// that a lower-case letter follows. Each ideograph is a word.
final class WordSplitter extends Tokenizer {

  /// Length limit of a word; the rest is dropped.
  static final int LONGEST = 64;

  private static final int STEP = 8 << 10;

  private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
  private final OffsetAttribute offset = addAttribute(OffsetAttribute.class);
  private char[] text = new char[STEP];
  private int length;
  private int at;

  /// Class of a character within a word.
  private enum Kind {
    NONE,
    SMALL,
    CAPITAL,
    DIGIT,
    IDEOGRAPH
  }

  @Override
  public void reset() throws IOException {
    super.reset();
    at = 0;
    length = 0;
    for (int read = read(input); read >= 0; read = read(input)) {
      length += read;
    }
  }

  private int read(Reader reader) throws IOException {
    if (length == text.length) {
      text = Arrays.copyOf(text, 2 * text.length);
    }
    return reader.read(text, length, text.length - length);
  }

  @Override
  public boolean incrementToken() {
    clearAttributes();
    while (at < length && kind(at) == Kind.NONE) {
      at += width(at);
    }
    if (at >= length) {
      return false;
    }
    int start = at;
    at = end(start);
    int cut = start + Math.min(at - start, LONGEST);
    if (cut < at && Character.isHighSurrogate(text[cut - 1])) {
      cut--;
    }
    for (int from = start; from < cut; from += width(from)) {
      int lower = Character.toLowerCase(codePoint(from));
      if (lower < 0x80) {
        term.append((char) lower);
      } else {
        term.append(Character.toString(lower));
      }
    }
    offset.setOffset(correctOffset(start), correctOffset(cut));
    return true;
  }

  @Override
  public void end() throws IOException {
    super.end();
    offset.setOffset(correctOffset(length), correctOffset(length));
  }

  /// End of the word that starts at this offset.
  private int end(int start) {
    var before = kind(start);
    int next = start + width(start);
    if (before == Kind.IDEOGRAPH) {
      return next;
    }
    int capitals = before == Kind.CAPITAL ? 1 : 0;
    int last = start;
    while (next < length) {
      var kind = kind(next);
      switch (kind) {
        case NONE, IDEOGRAPH -> {
          return next;
        }
        case DIGIT -> {
          if (before != Kind.DIGIT) {
            return next;
          }
        }
        case CAPITAL -> {
          if (before != Kind.CAPITAL) {
            return next;
          }
          capitals++;
        }
        case SMALL -> {
          if (before == Kind.DIGIT) {
            return next;
          }
          if (before == Kind.CAPITAL && capitals > 1) {
            return last;
          }
        }
      }
      before = kind;
      last = next;
      next += width(next);
    }
    return next;
  }

  private Kind kind(int index) {
    char c = text[index];
    if (c < 0x80) {
      return c >= 'a' && c <= 'z'
          ? Kind.SMALL
          : c >= 'A' && c <= 'Z' ? Kind.CAPITAL : c >= '0' && c <= '9' ? Kind.DIGIT : Kind.NONE;
    }
    return kindOf(codePoint(index));
  }

  private static Kind kindOf(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.UPPERCASE_LETTER, Character.TITLECASE_LETTER -> Kind.CAPITAL;
      case Character.DECIMAL_DIGIT_NUMBER -> Kind.DIGIT;
      case Character.NON_SPACING_MARK, Character.COMBINING_SPACING_MARK -> Kind.SMALL;
      default ->
          !Character.isLetter(codePoint)
              ? Kind.NONE
              : Character.isIdeographic(codePoint) ? Kind.IDEOGRAPH : Kind.SMALL;
    };
  }

  private int codePoint(int index) {
    return Character.codePointAt(text, index, length);
  }

  private int width(int index) {
    return Character.charCount(codePoint(index));
  }
}
