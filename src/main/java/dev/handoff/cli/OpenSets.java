package dev.handoff.cli;

import dev.handoff.OpenChangesetInfo;
import dev.handoff.PlanInfo;
import java.util.ArrayList;
import java.util.List;

/// Changesets that a program has opened in a plan, and has not closed. Where the command line has
/// the store, that program is gone.
final class OpenSets {

  private static final int MOST = 10;

  private OpenSets() {}

  /// Whether nothing else keeps a plan from ending.
  static boolean keeps(PlanInfo plan) {
    return !plan.status().isTerminal()
        && !plan.isStopping()
        && !plan.openChangesets().isEmpty()
        && allEnded(plan);
  }

  static boolean allEnded(PlanInfo plan) {
    return plan.steps().stream().allMatch(step -> step.stage().isTerminal());
  }

  /// What there is, and what can be done.
  static List<String> lines(PlanInfo plan, Again again) {
    var open = plan.openChangesets();
    var lines = new ArrayList<String>();
    lines.add(
        "all of its steps have ended, but %s open, and the plan ends with the last of them"
            .formatted(
                PlanText.count(open.size(), "changeset") + (open.size() == 1 ? " is" : " are")));
    open.stream().limit(MOST).forEach(set -> lines.add("  " + words(set)));
    if (open.size() > MOST) {
      lines.add("  … (%s shows all of them)".formatted(again.plan("show")));
    }
    var first = Again.word(open.getFirst().id());
    lines.add("keep what is in one: " + again.plan("close", first));
    lines.add("drop it: " + again.plan("discard", first));
    return lines;
  }

  /// One of them, in a line.
  static String words(OpenChangesetInfo set) {
    return "%s  %s  %s, by %s  %s"
        .formatted(
            Plain.line(set.id()),
            JobTable.time(set.at()),
            PlanText.count(set.changes(), "change"),
            Plain.brief(set.by(), 40),
            Plain.brief(set.label(), 60))
        .stripTrailing();
  }
}
