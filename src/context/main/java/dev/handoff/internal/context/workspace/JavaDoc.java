package dev.handoff.internal.context.workspace;

import java.util.regex.Pattern;

/// Plain text of a Java doc comment.
final class JavaDoc {

  /// Character limit; sufficient for a first sentence.
  private static final int MOST = 1_000;

  private static final Pattern MARK = Pattern.compile("(?m)^\\s*+(?:///|/\\*\\*+|\\*(?!/))[ \\t]?");
  private static final Pattern TAG = Pattern.compile("\\{@\\w++\\s++([^{}]*+)}");
  private static final Pattern PARAGRAPH = Pattern.compile("<(?:p|ul|ol|pre)>");
  private static final Pattern ELEMENT = Pattern.compile("</?[a-zA-Z][^<>]*+>");

  private JavaDoc() {}

  /// First sentence of the comment in a text range; empty if it has only tags.
  static String sentence(String text, int from, int to) {
    var comment = text.substring(from, Math.min(to, from + MOST));
    var prose = MARK.matcher(comment).replaceAll("").replace("*/", "");
    prose = TAG.matcher(prose).replaceAll("$1");
    prose = PARAGRAPH.matcher(prose).replaceAll("\n\n");
    var sentence = FirstSentence.first(ELEMENT.matcher(prose).replaceAll(""));
    return sentence.startsWith("@") ? "" : sentence;
  }
}
