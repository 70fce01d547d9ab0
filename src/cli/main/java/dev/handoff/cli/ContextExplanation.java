package dev.handoff.cli;

import dev.handoff.context.Assembled;
import dev.handoff.context.ContextFragment;
import dev.handoff.context.PipelinePart;
import dev.handoff.context.PipelinePart.StrategyExecutor.Outcome;
import dev.handoff.internal.text.Durations;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Report of an assembly as tables for users.
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

  static String of(Assembled.Report report, Screen screen) {
    return of(report, Map.of(), screen);
  }

  private static String of(
      Assembled.Report report, Map<String, ContextFragment> packed, Screen screen) {
    var text = new StringBuilder(strategies(report, screen)).append('\n');
    if (!report.scores().isEmpty()) {
      text.append(scores(report, packed, screen)).append('\n');
    }
    var leftOut = leftOut(report, packed);
    if (!leftOut.isEmpty()) {
      text.append(leftOut(leftOut, screen)).append('\n');
    }
    report
        .notes()
        .forEach(note -> text.append("note: ").append(TerminalText.line(note)).append('\n'));
    return text.toString();
  }

  private static String strategies(Assembled.Report report, Screen screen) {
    var table =
        new TextTable(
            List.of(
                "STRATEGY", "OUTCOME", "CONFIDENCE", "SHARE", "TOKENS", "FOUND", "PACKED", "TIME"));
    var details = new StringBuilder();
    for (var one : report.strategies()) {
      boolean asked = one.outcome() != Outcome.SKIPPED;
      table.row(
          TextTable.cell(one.name()),
          TextTable.cell(one.outcome().label(), style(one.outcome())),
          TextTable.cell(asked ? number(one.confidence()) : ""),
          TextTable.cell(asked ? Integer.toString(one.share()) : ""),
          TextTable.cell(asked ? Integer.toString(one.tokens()) : ""),
          TextTable.cell(asked ? Integer.toString(one.fragments()) : ""),
          TextTable.cell(asked ? Integer.toString(one.packed()) : ""),
          TextTable.cell(asked ? time(one.took()) : ""));
      if (!one.detail().isEmpty()) {
        details.append("%s: %s%n".formatted(one.name(), TerminalText.brief(one.detail(), 300)));
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

  /// Table of scores, least important columns last: a narrow terminal drops them.
  private static String scores(
      Assembled.Report report, Map<String, ContextFragment> packed, Screen screen) {
    var table =
        new TextTable(
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
          TextTable.cell(number(one.score().total())),
          TextTable.cell(end(one.resource())),
          TextTable.cell(shown == null ? "-" : Integer.toString(shown.depth().number())),
          TextTable.cell(shown == null ? "" : Integer.toString(shown.tokens())),
          TextTable.cell(number(one.score().relevance())),
          TextTable.cell(number(one.score().hierarchy())),
          TextTable.cell(number(one.score().quality())),
          TextTable.cell(number(one.score().recency())),
          TextTable.cell(TerminalText.brief(one.because(), 80)));
    }
    return table.draw(screen);
  }

  /// Shortens a long path at its start, because its end identifies the file.
  private static String end(String resource) {
    var plain = TerminalText.line(resource);
    return plain.length() <= LONGEST_PATH
        ? plain
        : "…" + plain.substring(plain.length() - LONGEST_PATH + 1);
  }

  /// Omitted resources, each with its last reason; without resources that are in the context
  /// through another strategy.
  private static List<PipelinePart.Result.LeftOut> leftOut(
      Assembled.Report report, Map<String, ContextFragment> packed) {
    var last = new LinkedHashMap<String, PipelinePart.Result.LeftOut>();
    report.leftOut().stream()
        .filter(one -> !packed.containsKey(one.resource()))
        .forEach(one -> last.put(one.resource(), one));
    return List.copyOf(last.values());
  }

  private static String leftOut(List<PipelinePart.Result.LeftOut> leftOut, Screen screen) {
    var table = new TextTable(List.of("LEFT OUT", "FOUND BY", "WHY"));
    leftOut.stream()
        .limit(MOST_LEFT_OUT)
        .forEach(
            one ->
                table.row(
                    TextTable.cell(end(one.resource())),
                    TextTable.cell(one.strategy()),
                    TextTable.cell(TerminalText.brief(one.reason(), 100))));
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
