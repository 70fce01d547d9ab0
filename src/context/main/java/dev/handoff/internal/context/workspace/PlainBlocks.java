package dev.handoff.internal.context.workspace;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Blocks of a text in an unknown format. A block starts with a line that has deeper-indented lines
/// below it, or that looks like a declaration or heading. It extends to the next block. Comment
/// lines directly above belong to it.
final class PlainBlocks {

  private static final int MOST_LINE = 160;
  private static final int MOST_BLOCKS = 200;
  private static final int MOST_INDENT = 8;

  private static final Pattern DECLARATION =
      Pattern.compile(
          "(?:(?:export|public|private|protected|static|async|abstract|final|lazy|implicit|sealed|case|pub|default|override|unsafe|inline|data|open|internal|extern|const)"
              + " ){0,4}"
              + "(?:def|class|object|trait|interface|enum|struct|fn|func|function|fun|val|var|let|const"
              + "|type|impl|mod|module|namespace|package|CREATE|create|Feature:|Scenario:|Rule:|Scenario"
              + " Outline:|Background:|describe|it|test)\\b.*+");
  private static final Pattern TITLE =
      Pattern.compile("\\[\\[?[\\w. \"'-]{1,80}+]]?|[\\w. /-]{1,60}+:");
  private static final Pattern SETTING =
      Pattern.compile("[\\w.\"-]{1,80}+\\s*+(?::=|\\+=|=|:(?=\\s)).*+");
  private static final String COMMENTS = "#/*;-%";

  /// @param from offset in the text
  private record Line(int from, int indent, String words) {
    boolean isEmpty() {
      return words.isEmpty();
    }

    boolean isComment() {
      return !words.isEmpty() && COMMENTS.indexOf(words.charAt(0)) >= 0;
    }
  }

  private final String text;
  private final List<Line> lines = new ArrayList<>();
  private final List<OutlineSection> sections = new ArrayList<>();

  PlainBlocks(String text) {
    this.text = text;
    int at = text.startsWith("\uFEFF") ? 1 : 0;
    while (at < text.length()) {
      int end = text.indexOf('\n', at);
      int next = end < 0 ? text.length() : end + 1;
      lines.add(line(at, next));
      at = next;
    }
    findBlocks();
  }

  List<OutlineSection> sections() {
    return sections;
  }

  /// Non-empty lines before the first block.
  List<String> firstLines(int most) {
    int before = sections.isEmpty() ? text.length() : sections.getFirst().from();
    return lines.stream()
        .filter(line -> line.from() < before && !line.isEmpty())
        .limit(most)
        .map(line -> FirstSentence.cut(line.words(), MOST_LINE))
        .toList();
  }

  /// First sentence of the leading comment, otherwise of the first line.
  String says() {
    var comment = new StringBuilder();
    for (var line : lines) {
      if (comment.isEmpty()
          ? line.words().length() < 3 || line.words().startsWith("#!")
          : !line.isComment()) {
        if (!comment.isEmpty()) {
          break;
        }
        continue;
      }
      comment.append(prose(line.words())).append('\n');
      if (!line.isComment() || comment.length() > FirstSentence.MOST) {
        break;
      }
    }
    return FirstSentence.first(comment.toString());
  }

  private static String prose(String comment) {
    int at = 0;
    while (at < comment.length() && COMMENTS.indexOf(comment.charAt(at)) >= 0) {
      at++;
    }
    return comment.substring(at).strip();
  }

  private Line line(int from, int to) {
    int start = from;
    int indent = 0;
    while (start < to && (text.charAt(start) == ' ' || text.charAt(start) == '\t')) {
      indent += text.charAt(start) == '\t' ? 4 : 1;
      start++;
    }
    var words = text.substring(start, Math.min(to, start + 2 * MOST_LINE)).strip();
    return new Line(from, indent, words);
  }

  private void findBlocks() {
    int comment = -1;
    List<String> heads = new ArrayList<>();
    List<Integer> starts = new ArrayList<>();
    for (int number = 0; number < lines.size() && heads.size() < MOST_BLOCKS; number++) {
      var line = lines.get(number);
      if (line.isEmpty()) {
        comment = -1;
      } else if (line.isComment()) {
        comment = comment < 0 ? number : comment;
      } else {
        boolean explained = comment >= 0 && SETTING.matcher(line.words()).matches();
        if (explained || begins(line, number)) {
          int start = comment < 0 ? number : comment;
          heads.add(explanation(start, number) + shown(line));
          starts.add(lines.get(start).from());
        }
        comment = -1;
      }
    }
    for (int number = 0; number < heads.size(); number++) {
      int end = number + 1 < starts.size() ? starts.get(number + 1) : text.length();
      sections.add(new OutlineSection(heads.get(number), starts.get(number), end));
    }
  }

  private boolean begins(Line line, int number) {
    if (line.indent() > MOST_INDENT
        || !Character.isLetterOrDigit(line.words().charAt(0))
            && "[<@\".".indexOf(line.words().charAt(0)) < 0) {
      return false;
    }
    if (DECLARATION.matcher(line.words()).matches() || TITLE.matcher(line.words()).matches()) {
      return true;
    }
    if (line.indent() == 0 && SETTING.matcher(line.words()).matches()) {
      return true;
    }
    int next = number + 1;
    return next < lines.size()
        && !lines.get(next).isEmpty()
        && lines.get(next).indent() > line.indent();
  }

  /// Comment line with the first sentence of the comment above; empty if none.
  private String explanation(int comment, int number) {
    var words = new StringBuilder();
    for (int line = comment; line < number && words.length() < 2 * FirstSentence.MOST; line++) {
      words.append(prose(lines.get(line).words())).append('\n');
    }
    var sentence = FirstSentence.first(words.toString());
    if (sentence.isEmpty()) {
      return "";
    }
    var first = lines.get(comment).words();
    var mark = first.startsWith("/") ? "//" : first.substring(0, 1);
    return indent(lines.get(number)) + mark + " " + sentence + "\n";
  }

  private static String shown(Line line) {
    return indent(line) + FirstSentence.cut(line.words(), MOST_LINE);
  }

  private static String indent(Line line) {
    return " ".repeat(Math.min(line.indent(), MOST_INDENT));
  }
}
