package dev.handoff.internal.context.workspace;

import dev.handoff.context.WorkspaceView;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Outliner for Markdown: headings.
final class MarkdownOutliner implements FileOutliner {

  /// Limit of the sentence shown below a heading; longer sentences are omitted.
  private static final int MOST_SENTENCE = 120;

  private static final int MOST_HEADING = 200;
  private static final int MOST_MENTIONS = 2_000;
  private static final Pattern LINK = Pattern.compile("]\\(<?([^\\s()<>]{1,300}+)");
  private static final Pattern TARGET =
      Pattern.compile("(?m)^ {0,3}\\[[^\\]\\n]{1,99}+]: *+<?(\\S{1,300}+)");
  private static final Pattern CODE = Pattern.compile("`([\\w./$#-]{2,120}+)`");
  private static final Pattern NAME = Pattern.compile("(?:[a-z]\\w*+\\.)*+[A-Z]\\w*[a-z]\\w*");
  private static final Pattern FILE = Pattern.compile("[\\w./-]*[/.][\\w-]+");

  @Override
  public boolean takes(String path) {
    return path.endsWith(".md") || path.endsWith(".markdown");
  }

  @Override
  public WorkspaceView.FileOutline read(String path, String text) {
    var headings = new MarkdownHeadings(text).all();
    var sections = sections(text, headings);
    if (sections.isEmpty()) {
      return new PlainOutliner().read(path, text);
    }
    return new SectionedOutline(
        path, text, says(text, headings), "", sections, defines(path, headings), mentions(text));
  }

  private static List<OutlineSection> sections(
      String text, List<MarkdownHeadings.Heading> headings) {
    List<OutlineSection> sections = new ArrayList<>();
    for (int number = 0; number < headings.size(); number++) {
      var heading = headings.get(number);
      int end = number + 1 < headings.size() ? headings.get(number + 1).from() : text.length();
      var shown = "#".repeat(heading.level()) + " " + heading.words();
      var sentence = sentence(text, heading.to(), end);
      if (!sentence.isEmpty() && sentence.length() <= MOST_SENTENCE) {
        shown += "\n" + sentence;
      }
      sections.add(
          new OutlineSection(FirstSentence.cut(shown, MOST_HEADING * 2), heading.from(), end));
    }
    return sections;
  }

  /// First sentence of the text; empty if it starts with a list, table or code.
  private static String sentence(String text, int from, int to) {
    int start = from;
    while (start < to && Character.isWhitespace(text.charAt(start))) {
      start++;
    }
    boolean prose = start < to && "`|-*+<!=~#>".indexOf(text.charAt(start)) < 0;
    return prose ? FirstSentence.first(text.substring(start, Math.min(to, start + 600))) : "";
  }

  private static String says(String text, List<MarkdownHeadings.Heading> headings) {
    var first = headings.getFirst();
    int end = headings.size() > 1 ? headings.get(1).from() : text.length();
    var sentence = sentence(text, first.to(), end);
    return sentence.isEmpty() ? first.words() : first.words() + ". " + sentence;
  }

  /// Names that identify the file. A one-word title is excluded: it may equal a type name that the
  /// file does not define.
  private static Set<String> defines(String path, List<MarkdownHeadings.Heading> headings) {
    var names = new TreeSet<>(List.of(path, path.substring(path.lastIndexOf('/') + 1)));
    var title = headings.getFirst().words();
    if (title.indexOf(' ') > 0) {
      names.add(title);
    }
    return names;
  }

  private static Set<String> mentions(String text) {
    var mentions = new TreeSet<String>();
    addAll(LINK.matcher(text), mentions);
    addAll(TARGET.matcher(text), mentions);
    mentions.removeIf(target -> target.startsWith("#") || target.contains("://"));
    CODE.matcher(text)
        .results()
        .limit(MOST_MENTIONS)
        .map(code -> code.group(1))
        .filter(code -> NAME.matcher(code).matches() || FILE.matcher(code).matches())
        .forEach(mentions::add);
    return mentions;
  }

  private static void addAll(Matcher matcher, Set<String> targets) {
    matcher
        .results()
        .limit(MOST_MENTIONS)
        .map(found -> found.group(1).replaceFirst("#.*", ""))
        .filter(target -> !target.isEmpty())
        .forEach(targets::add);
  }
}
