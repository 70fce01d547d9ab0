package dev.handoff.internal.context.workspace;

import dev.handoff.context.SearchDepth;
import dev.handoff.context.WorkspaceView;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/// Outline of a file with sections.
///
/// @param says descriptive first sentence; empty if none
/// @param head start of every outline; empty or whole lines
record SectionedOutline(
    String path,
    String text,
    String says,
    String head,
    List<OutlineSection> sections,
    Set<String> defines,
    Set<String> mentions)
    implements WorkspaceView.FileOutline {

  /// Size limit of an outline; larger outlines occur in generated code and data.
  private static final int MOST_CHARACTERS = 12_000;

  /// Size limit of the outline beside matching sections, which have priority.
  private static final int BESIDE = 800;

  @Override
  public String at(SearchDepth depth, Set<String> terms, Function<String, Set<String>> analysis) {
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

  /// @param open indexes of the fully shown sections
  /// @param most character limit of the other sections
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

  private void appendWhole(OutlineSection section, StringBuilder lines) {
    int most = section.from() + SectionMatch.MOST_CHARACTERS;
    if (section.to() <= most) {
      lines.append(text.substring(section.from(), section.to()).stripTrailing());
    } else {
      var start = text.substring(section.from(), section.to());
      lines.append(FirstSentence.cut(start, SectionMatch.MOST_CHARACTERS));
    }
    lines.append('\n');
  }
}
