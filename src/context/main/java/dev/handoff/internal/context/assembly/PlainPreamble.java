package dev.handoff.internal.context.assembly;

import dev.handoff.context.Assembled;
import dev.handoff.context.Assembled.Report.StrategyReport;
import dev.handoff.context.PipelinePart;
import dev.handoff.context.PipelinePart.StrategyExecutor.Outcome;
import dev.handoff.context.TokenCounter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// Lists contributing strategies, missing strategies with reasons, omissions and notes. If this
/// text is too long, missing strategies lose their reasons, then their names; finally, lines are
/// dropped from the end.
final class PlainPreamble implements PipelinePart.ContextPreamble {

  @Override
  public String write(Assembled.Report report, int most, TokenCounter tokens) {
    var missing = report.strategies().stream().filter(PlainPreamble::isMissing).toList();
    for (var words : List.of(reasons(missing), names(missing))) {
      var text = text(lines(report, words));
      if (tokens.count(text) <= most) {
        return text;
      }
    }
    var lines = lines(report, count(missing));
    for (int count = lines.size(); count > 0; count--) {
      var text = text(lines.subList(0, count));
      if (tokens.count(text) <= most) {
        return text;
      }
    }
    return "";
  }

  private static String text(List<String> lines) {
    return String.join("\n", lines) + "\n\n";
  }

  private static List<String> lines(Assembled.Report report, List<String> missing) {
    var lines = new ArrayList<String>(missing);
    lines.add(finders(report));
    int packed = report.strategies().stream().mapToInt(StrategyReport::packed).sum();
    int leftOut = report.scores().size() - packed;
    if (leftOut > 0) {
      lines.add("Left out: %d of %d.".formatted(leftOut, report.scores().size()));
    }
    report.notes().forEach(note -> lines.add("Note: " + note));
    return lines;
  }

  private static String finders(Assembled.Report report) {
    var finders =
        report.strategies().stream()
            .filter(one -> one.packed() > 0)
            .map(one -> "%s (%s, %d)".formatted(one.name(), two(one.confidence()), one.packed()))
            .collect(Collectors.joining(", "));
    if (!finders.isEmpty()) {
      return "Found by (confidence, fragments): " + finders + ".";
    }
    return report.scores().isEmpty() ? "Nothing was found." : "Nothing that was found fits.";
  }

  private static boolean isMissing(StrategyReport strategy) {
    return !strategy.outcome().isFine() && strategy.outcome() != Outcome.SKIPPED;
  }

  private static List<String> reasons(List<StrategyReport> missing) {
    return missing.stream()
        .map(
            one ->
                "Missing: %s %s%s"
                    .formatted(one.name(), one.outcome().label(), reason(one.detail())))
        .toList();
  }

  private static String reason(String detail) {
    return detail.isEmpty() ? "." : ": " + detail.lines().findFirst().orElse("");
  }

  private static List<String> names(List<StrategyReport> missing) {
    return missing.isEmpty()
        ? List.of()
        : List.of(
            missing.stream()
                .map(one -> one.name() + " " + one.outcome().label())
                .collect(Collectors.joining(", ", "Missing: ", ".")));
  }

  private static List<String> count(List<StrategyReport> missing) {
    return missing.isEmpty()
        ? List.of()
        : List.of("Missing: %d strategies.".formatted(missing.size()));
  }

  private static String two(double number) {
    return String.format(Locale.ROOT, "%.2f", number);
  }
}
