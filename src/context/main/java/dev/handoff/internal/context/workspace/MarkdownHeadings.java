package dev.handoff.internal.context.workspace;

import java.util.ArrayList;
import java.util.List;

/// Headings of a Markdown text: `# …` and underlined lines, except in code blocks.
final class MarkdownHeadings {

  /// @param from offset of its line
  /// @param to offset of its body text
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
    int at = afterFrontMatter();
    while (at < text.length() && headings.size() < MOST) {
      int end = text.indexOf('\n', at);
      int next = end < 0 ? text.length() : end + 1;
      // Longer lines are no headings.
      read(text.substring(at, Math.min(next, at + 2 * MOST_WORDS)), at, next);
      at = next;
    }
    return headings;
  }

  /// Skips front matter between two lines of dashes, which would look like an underlined heading.
  private int afterFrontMatter() {
    int start = text.startsWith("\uFEFF") ? 1 : 0;
    int first = text.indexOf('\n', start);
    boolean begins = first > 0 && text.substring(start, first).stripTrailing().equals("---");
    if (!begins || first + 1 == text.length() || Character.isWhitespace(text.charAt(first + 1))) {
      return start;
    }
    int last = text.indexOf("\n---", first);
    int end = last < 0 ? -1 : text.indexOf('\n', last + 1);
    return end < 0 || !text.substring(last, end).strip().equals("---") ? start : end + 1;
  }

  private void read(String line, int from, int to) {
    var plain = line.strip();
    if (isFence(plain)) {
      lineBefore = "";
      return;
    }
    int level = isIndented(line) ? 0 : level(plain);
    if (level > 0) {
      add(level, plain.substring(level), from, to);
    } else if (isUnderline(plain) && isProse(lineBefore)) {
      add(plain.charAt(0) == '=' ? 1 : 2, lineBefore, before, to);
    }
    lineBefore = level > 0 || isUnderline(plain) || isIndented(line) ? "" : plain;
    before = from;
  }

  /// Whether a line belongs to a fenced code block or is one of its fences. A closing fence
  /// consists of at least as many marks as the opening fence and nothing else.
  private boolean isFence(String line) {
    int marks = 0;
    while (marks < line.length() && line.charAt(marks) == line.charAt(0)) {
      marks++;
    }
    boolean marked = marks >= 3 && (line.charAt(0) == '`' || line.charAt(0) == '~');
    if (fence.isEmpty()) {
      // A line with more backticks after the opening marks is inline code.
      boolean begins = marked && (line.charAt(0) == '~' || line.indexOf('`', marks) < 0);
      fence = begins ? line.substring(0, marks) : "";
      return begins;
    }
    if (marked && marks == line.length() && line.startsWith(fence)) {
      fence = "";
    }
    return true;
  }

  /// Whether the line is an indented code line.
  private static boolean isIndented(String line) {
    return line.startsWith("    ") || line.startsWith("\t");
  }

  /// Number of leading `#` if white space follows; 0 for a line that is no heading.
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
    while (end > 0 && words.charAt(end - 1) == '#') {
      end--;
    }
    // A `#` directly after a word belongs to the name: "C#".
    boolean closed = end == 0 || Character.isWhitespace(words.charAt(end - 1));
    var title = FirstSentence.line(closed ? words.substring(0, end) : words, MOST_WORDS);
    if (!title.isEmpty()) {
      headings.add(new Heading(level, title, from, to));
    }
  }
}
