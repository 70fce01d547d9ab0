package dev.handoff.context.workspace;

import java.util.ArrayList;
import java.util.List;

/// The headings of Markdown text: `# …`, and lines that are underlined. Not those in code.
final class MarkdownHeadings {

  /// @param from where its line begins
  /// @param to where its text begins
  record Heading(int level, String words, int from, int to) {}

  private static final int MOST = 2_000;
  private static final int MOST_WORDS = 200;

  private final String text;
  private final List<Heading> headings = new ArrayList<>();
  private String fence = "";
  private int before;
  private String lineBefore = "";

  MarkdownHeadings(String text) {
    this.text = text;
  }

  List<Heading> all() {
    int at = 0;
    while (at < text.length() && headings.size() < MOST) {
      int end = text.indexOf('\n', at);
      int next = end < 0 ? text.length() : end + 1;
      // Longer ones are no headings, whatever they begin with.
      read(text.substring(at, Math.min(next, at + 2 * MOST_WORDS)).strip(), at, next);
      at = next;
    }
    return headings;
  }

  private void read(String line, int from, int to) {
    var plain = from == 0 && line.startsWith("\uFEFF") ? line.substring(1).strip() : line;
    if (plain.startsWith("```") || plain.startsWith("~~~")) {
      fence(plain.substring(0, 3));
      lineBefore = "";
      return;
    }
    if (!fence.isEmpty()) {
      return;
    }
    int level = level(plain);
    if (level > 0) {
      add(level, plain.substring(level), from, to);
    } else if (isUnderline(plain) && isProse(lineBefore)) {
      add(plain.charAt(0) == '=' ? 1 : 2, lineBefore, before, to);
    }
    lineBefore = level > 0 || isUnderline(plain) ? "" : plain;
    before = from;
  }

  private void fence(String mark) {
    if (fence.isEmpty()) {
      fence = mark;
    } else if (fence.equals(mark)) {
      fence = "";
    }
  }

  /// How many signs it begins with, if a space follows; 0 if it is no heading.
  private static int level(String line) {
    int level = 0;
    while (level < line.length() && line.charAt(level) == '#') {
      level++;
    }
    boolean heading = level > 0 && level <= 6 && level < line.length();
    return heading && Character.isWhitespace(line.charAt(level)) ? level : 0;
  }

  private static boolean isUnderline(String line) {
    return line.length() >= 2
        && (line.charAt(0) == '=' || line.charAt(0) == '-')
        && line.chars().allMatch(sign -> sign == line.charAt(0));
  }

  private static boolean isProse(String line) {
    return !line.isEmpty() && "|-*+>".indexOf(line.charAt(0)) < 0;
  }

  private void add(int level, String words, int from, int to) {
    int end = words.length();
    while (end > 0 && (words.charAt(end - 1) == '#' || words.charAt(end - 1) == ' ')) {
      end--;
    }
    var title = Sentences.line(words.substring(0, end), MOST_WORDS);
    if (!title.isEmpty()) {
      headings.add(new Heading(level, title, from, to));
    }
  }
}
