package dev.handoff.cli;

import dev.handoff.Durations;
import dev.handoff.context.Assembled;
import dev.handoff.context.AssemblyReport;
import dev.handoff.context.ContextFragment;
import dev.handoff.context.Sifted;
import dev.handoff.context.StrategyExecutor.Outcome;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// How a context came to be, as tables for people.
final class ContextExplanation {

  private static final int MOST_LEFT_OUT = 20;
  private static final int LONGEST_PATH = 56;

  private ContextExplanation() {}

  static String of(Assembled context, Screen screen) {
    var packed = new HashMap<String, ContextFragment>();
    context.fragments().forEach(one -> packed.put(one.resource(), one));
    var report = context.report();
    return "%d of %d tokens: %d in %d fragments, %d in the preamble; %s%n%n"
            .formatted(
                context.totalTokens() + report.preambleTokens(),
                context.budget(),
                context.totalTokens(),
                context.fragments().size(),
                report.preambleTokens(),
                time(report.took()))
        + of(report, packed, screen);
  }

  static String of(AssemblyReport report, Screen screen) {
    return of(report, Map.of(), screen);
  }

  private static String of(
      AssemblyReport report, Map<String, ContextFragment> packed, Screen screen) {
    var text = new StringBuilder(strategies(report, screen)).append('\n');
    if (!report.scores().isEmpty()) {
      text.append(scores(report, packed, screen)).append('\n');
    }
    var leftOut = leftOut(report, packed);
    if (!leftOut.isEmpty()) {
      text.append(leftOut(leftOut, screen)).append('\n');
    }
    report.notes().forEach(note -> text.append("note: ").append(Plain.line(note)).append('\n'));
    return text.toString();
  }

  private static String strategies(AssemblyReport report, Screen screen) {
    var table =
        new Table(
            List.of(
                "STRATEGY", "OUTCOME", "CONFIDENCE", "SHARE", "TOKENS", "FOUND", "PACKED", "TIME"));
    var details = new StringBuilder();
    for (var one : report.strategies()) {
      boolean asked = one.outcome() != Outcome.SKIPPED;
      table.row(
          Table.cell(one.name()),
          Table.cell(one.outcome().label(), style(one.outcome())),
          Table.cell(asked ? number(one.confidence()) : ""),
          Table.cell(asked ? Integer.toString(one.share()) : ""),
          Table.cell(asked ? Integer.toString(one.tokens()) : ""),
          Table.cell(asked ? Integer.toString(one.fragments()) : ""),
          Table.cell(asked ? Integer.toString(one.packed()) : ""),
          Table.cell(asked ? time(one.took()) : ""));
      if (!one.detail().isEmpty()) {
        details.append("%s: %s%n".formatted(one.name(), Plain.brief(one.detail(), 300)));
      }
    }
    return table.draw(screen) + details;
  }

  private static Screen.Style style(Outcome outcome) {
    return switch (outcome) {
      case FOUND -> Screen.Style.GREEN;
      case NOTHING, SKIPPED -> Screen.Style.DIM;
      case FAILED -> Screen.Style.RED;
      case TIMED_OUT, REJECTED, STOPPED -> Screen.Style.YELLOW;
    };
  }

  /// What matters least stands last: a terminal that is too narrow does not show it.
  private static String scores(
      AssemblyReport report, Map<String, ContextFragment> packed, Screen screen) {
    var table =
        new Table(
            List.of(
                "SCORE",
                "RESOURCE",
                "DEPTH",
                "TOKENS",
                "RELEVANCE",
                "HIERARCHY",
                "QUALITY",
                "RECENCY",
                "BECAUSE"));
    for (var one : report.scores()) {
      var shown = packed.get(one.resource());
      table.row(
          Table.cell(number(one.score().total())),
          Table.cell(end(one.resource())),
          Table.cell(shown == null ? "-" : Integer.toString(shown.depth().number())),
          Table.cell(shown == null ? "" : Integer.toString(shown.tokens())),
          Table.cell(number(one.score().relevance())),
          Table.cell(number(one.score().hierarchy())),
          Table.cell(number(one.score().quality())),
          Table.cell(number(one.score().recency())),
          Table.cell(Plain.brief(one.because(), 80)));
    }
    return table.draw(screen);
  }

  /// The end of a path tells more than its beginning.
  private static String end(String resource) {
    var plain = Plain.line(resource);
    return plain.length() <= LONGEST_PATH
        ? plain
        : "…" + plain.substring(plain.length() - LONGEST_PATH + 1);
  }

  /// Each resource once, with the last word on it; without those that somebody else has brought in.
  private static List<Sifted.LeftOut> leftOut(
      AssemblyReport report, Map<String, ContextFragment> packed) {
    var last = new LinkedHashMap<String, Sifted.LeftOut>();
    report.leftOut().stream()
        .filter(one -> !packed.containsKey(one.resource()))
        .forEach(one -> last.put(one.resource(), one));
    return List.copyOf(last.values());
  }

  private static String leftOut(List<Sifted.LeftOut> leftOut, Screen screen) {
    var table = new Table(List.of("LEFT OUT", "FOUND BY", "WHY"));
    leftOut.stream()
        .limit(MOST_LEFT_OUT)
        .forEach(
            one ->
                table.row(
                    Table.cell(end(one.resource())),
                    Table.cell(one.strategy()),
                    Table.cell(Plain.brief(one.reason(), 100))));
    int more = leftOut.size() - MOST_LEFT_OUT;
    return table.draw(screen) + (more > 0 ? "and %d more (--json has all)%n".formatted(more) : "");
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  private static String time(Duration time) {
    return Durations.format(time);
  }
}
