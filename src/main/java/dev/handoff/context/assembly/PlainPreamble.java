package dev.handoff.context.assembly;

import dev.handoff.context.AssemblyReport;
import dev.handoff.context.AssemblyReport.StrategyReport;
import dev.handoff.context.Preamble;
import dev.handoff.context.StrategyExecutor.Outcome;
import dev.handoff.context.TokenCounter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// A line about who contributed, and one for each thing that is missing; as many as fit.
final class PlainPreamble implements Preamble {

  @Override
  public String write(AssemblyReport report, int most, TokenCounter tokens) {
    var lines = lines(report);
    for (int count = lines.size(); count > 0; count--) {
      var text = String.join("\n", lines.subList(0, count)) + "\n\n";
      if (tokens.count(text) <= most) {
        return text;
      }
    }
    return "";
  }

  private static List<String> lines(AssemblyReport report) {
    var lines = new ArrayList<String>();
    var finders =
        report.strategies().stream()
            .filter(one -> one.packed() > 0)
            .map(one -> "%s (%s, %d)".formatted(one.name(), two(one.confidence()), one.packed()))
            .collect(Collectors.joining(", "));
    lines.add(
        finders.isEmpty()
            ? "Nothing was found."
            : "Found by (confidence, fragments): " + finders + ".");
    report.strategies().stream()
        .filter(one -> !one.outcome().isFine() && one.outcome() != Outcome.SKIPPED)
        .forEach(one -> lines.add("Missing: " + missing(one)));
    int packed = report.strategies().stream().mapToInt(StrategyReport::packed).sum();
    int leftOut = report.scores().size() - packed;
    if (leftOut > 0) {
      lines.add("Left out for want of room: %d of %d.".formatted(leftOut, report.scores().size()));
    }
    report.notes().forEach(note -> lines.add("Note: " + note));
    return lines;
  }

  private static String missing(StrategyReport strategy) {
    return strategy.detail().isEmpty()
        ? "%s %s.".formatted(strategy.name(), strategy.outcome().label())
        : "%s %s: %s"
            .formatted(strategy.name(), strategy.outcome().label(), first(strategy.detail()));
  }

  private static String first(String detail) {
    return detail.lines().findFirst().orElse("");
  }

  private static String two(double number) {
    return String.format(Locale.ROOT, "%.2f", number);
  }
}
