package dev.handoff.cli;

import dev.handoff.plan.PlanInfo;
import java.util.ArrayList;
import java.util.List;

/// Open changesets of a plan. Their program is gone if the command line owns the store.
final class OpenChangesetText {

  private static final int MOST = 10;

  private OpenChangesetText() {}

  /// Whether only open changesets prevent the plan from ending.
  static boolean keeps(PlanInfo plan) {
    return !plan.status().isTerminal()
        && !plan.isStopping()
        && !plan.openChangesets().isEmpty()
        && allEnded(plan);
  }

  static boolean allEnded(PlanInfo plan) {
    return plan.steps().stream().allMatch(step -> step.stage().isTerminal());
  }

  /// Description of the open changesets and the possible commands.
  static List<String> lines(PlanInfo plan, NextCommand again) {
    var open = plan.openChangesets();
    var lines = new ArrayList<String>();
    lines.add(
        "all of its steps have ended, but %s open; the plan ends with the last of them"
            .formatted(
                PlanText.count(open.size(), "changeset") + (open.size() == 1 ? " is" : " are")));
    open.stream().limit(MOST).forEach(set -> lines.add("  " + words(set)));
    if (open.size() > MOST) {
      lines.add("  … (%s shows all of them)".formatted(again.plan("show")));
    }
    var first = NextCommand.word(open.getFirst().id());
    lines.add("commit one: " + again.plan("close", first));
    lines.add("drop it: " + again.plan("discard", first));
    return lines;
  }

  /// One changeset as a line.
  static String words(PlanInfo.OpenChangeset set) {
    return "%s  %s  %s, by %s  %s"
        .formatted(
            TerminalText.line(set.id()),
            JobTable.time(set.at()),
            PlanText.count(set.changes(), "change"),
            TerminalText.brief(set.by(), 40),
            TerminalText.brief(set.label(), 60))
        .stripTrailing();
  }
}
