package dev.handoff.cli;

import dev.handoff.cli.Screen.Style;
import dev.handoff.plan.DiffReport;
import dev.handoff.plan.FileDiff;
import dev.handoff.plan.PlanConflict;
import dev.handoff.plan.PlanDiff;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Diff with colours for a terminal. Piped output stays unchanged, because programs apply it.
final class DiffPrinter {

  private DiffPrinter() {}

  static String of(PlanDiff diff, Screen screen) {
    if (!screen.isTerminal()) {
      return diff.text();
    }
    var text = new StringBuilder();
    int start = 0;
    for (int end = diff.text().indexOf('\n'); end >= 0; end = diff.text().indexOf('\n', start)) {
      text.append(line(diff.text().substring(start, end), screen)).append('\n');
      start = end + 1;
    }
    return text.append(TerminalText.line(diff.text().substring(start))).toString();
  }

  private static String line(String line, Screen screen) {
    var plain = TerminalText.lines(line);
    var style = styleOf(line);
    return style == null ? plain : screen.styled(style, plain);
  }

  private static @Nullable Style styleOf(String line) {
    if (line.startsWith("diff ") || line.startsWith("+++ ") || line.startsWith("--- ")) {
      return Style.BOLD;
    }
    if (line.startsWith("@@")) {
      return Style.CYAN;
    }
    return line.startsWith("+") ? Style.GREEN : line.startsWith("-") ? Style.RED : null;
  }

  /// Changed files with line counts.
  static String stat(PlanDiff diff, Screen screen) {
    var table = new TextTable(List.of("CHANGE", "LINES", "FILE"));
    for (var file : diff.report().files()) {
      table.row(
          TextTable.cell(label(file.kind()), styleOf(file.kind())),
          TextTable.cell(file.binary() ? "binary" : lines(file.added(), file.removed())),
          TextTable.cell(TerminalText.line(file.path())));
    }
    var rows = diff.report().files().isEmpty() ? "" : table.draw(screen);
    return rows + counts(diff.report().counts()) + "\n";
  }

  /// Totals of files and lines as text.
  static String counts(DiffReport.Counts counts) {
    var kinds = new ArrayList<String>();
    add(kinds, counts.created(), "created");
    add(kinds, counts.modified(), "modified");
    add(kinds, counts.deleted(), "deleted");
    return kinds.isEmpty()
        ? "no changes"
        : "%s: %s, %s"
            .formatted(
                PlanText.count(counts.files(), "file"),
                String.join(", ", kinds),
                lines(counts.added(), counts.removed()) + " lines");
  }

  private static void add(List<String> kinds, int count, String kind) {
    if (count > 0) {
      kinds.add("%,d %s".formatted(count, kind));
    }
  }

  /// One line per conflict.
  static List<String> conflicts(PlanDiff diff, ConflictSides sides) {
    return diff.conflicts().stream().map(conflict -> conflict(conflict, sides)).toList();
  }

  /// Description of a conflict with its two sides.
  static String conflict(PlanConflict.Entry conflict, ConflictSides sides) {
    return "conflict in %s: %s".formatted(TerminalText.line(conflict.path()), why(conflict, sides));
  }

  private static String why(PlanConflict.Entry conflict, ConflictSides of) {
    var sides =
        "%s came first (ours), %s later (theirs)"
            .formatted(of.of(conflict.oursFrom()), of.of(conflict.theirsFrom()));
    return switch (conflict.why()) {
      case SAME_LINES -> "two changes to the same lines; " + sides;
      case BOTH_CREATED -> "created twice; " + sides;
      case DELETED_AND_CHANGED -> "deleted, and changed; " + sides;
      case FILE_AND_DIRECTORY -> "a file, and a directory with files in it; " + sides;
      case NOT_TEXT -> "changed twice, and not a text; " + sides;
      case TOO_LARGE -> "changed twice, and too large to be merged; " + sides;
    };
  }

  private static String lines(long added, long removed) {
    return String.format(Locale.ROOT, "+%,d -%,d", added, removed);
  }

  private static String label(FileDiff.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  private static Style styleOf(FileDiff.Kind kind) {
    return switch (kind) {
      case CREATED -> Style.GREEN;
      case MODIFIED -> Style.CYAN;
      case DELETED -> Style.RED;
    };
  }
}
