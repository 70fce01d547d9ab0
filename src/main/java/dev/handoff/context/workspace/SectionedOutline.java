package dev.handoff.context.workspace;

import dev.handoff.context.Depth;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/// The outline of a file that consists of sections.
///
/// @param says the first thing that it says of itself; empty if nothing
/// @param head what an outline begins with; empty or whole lines
record SectionedOutline(
    String path,
    String text,
    String says,
    String head,
    List<Section> sections,
    Set<String> defines,
    Set<String> mentions)
    implements Outline {

  /// Of an outline: what is longer belongs to generated code and data.
  private static final int MOST_CHARACTERS = 12_000;

  /// Of an outline beside what matched: that is what is to be seen.
  private static final int BESIDE = 800;

  @Override
  public String at(Depth depth, Set<String> terms, Function<String, Set<String>> analysis) {
    return switch (depth) {
      case NAME -> path;
      case SUMMARY -> says.isEmpty() ? path : path + ": " + says;
      case OUTLINE -> outline(Set.of(), MOST_CHARACTERS);
      case MATCHED -> matched(new SectionMatch(text, sections).best(terms, analysis));
      case FULL -> text;
    };
  }

  private String matched(Set<Integer> open) {
    return outline(open, open.isEmpty() ? MOST_CHARACTERS : BESIDE);
  }

  /// @param open the places of the sections that are shown whole
  /// @param most characters of the others
  private String outline(Set<Integer> open, int most) {
    var lines = new StringBuilder(head);
    int length = head.length();
    int hidden = 0;
    for (int place = 0; place < sections.size(); place++) {
      var section = sections.get(place);
      if (open.contains(place)) {
        appendWhole(section, lines);
      } else if (length + section.shown().length() > most) {
        hidden++;
      } else {
        length += section.shown().length();
        lines.append(section.shown()).append('\n');
      }
    }
    if (hidden > 0) {
      lines.append("… and ").append(hidden).append(" more\n");
    }
    return lines.toString().stripTrailing();
  }

  private void appendWhole(Section section, StringBuilder lines) {
    int most = section.from() + SectionMatch.MOST_CHARACTERS;
    if (section.to() <= most) {
      lines.append(text.substring(section.from(), section.to()).stripTrailing());
    } else {
      var start = text.substring(section.from(), section.to());
      lines.append(Sentences.cut(start, SectionMatch.MOST_CHARACTERS));
    }
    lines.append('\n');
  }
}
