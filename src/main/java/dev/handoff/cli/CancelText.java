package dev.handoff.cli;

import dev.handoff.PlanCancelReport;
import java.util.ArrayList;
import java.util.List;

/// What came of the cancel of a plan, to be read by people.
final class CancelText {

  private CancelText() {}

  /// @param again how the plan is named in commands
  static String of(PlanCancelReport report, Again again) {
    return switch (report) {
      case PlanCancelReport.Cancelled over ->
          "plan %s is cancelled: %s\n%s\n  to go on: %s"
              .formatted(
                  over.plan(),
                  Plain.line(over.reason()),
                  String.join("\n", parts(over, again)),
                  again.retry());
      case PlanCancelReport.Already(var id, var status) ->
          "plan %s has %s already".formatted(id, words(status.label()));
      case PlanCancelReport.NotFound(var id) -> "plan %s does not exist".formatted(id);
    };
  }

  private static String words(String status) {
    return status.equals("cancelled") ? "been cancelled" : status;
  }

  /// What became of the steps, if it was cancelled.
  static List<String> parts(PlanCancelReport report, Again again) {
    var lines = new ArrayList<String>();
    if (report instanceof PlanCancelReport.Cancelled over) {
      add(lines, "stopped", over.stopped());
      add(lines, "finished before", over.finished());
      add(lines, "failed before", over.failed());
      add(lines, "never ran", over.neverRan());
      add(lines, "did not stop, and may still run", over.abandoned());
      if (!over.kept().isEmpty()) {
        lines.add(
            "  kept: %s (%s)"
                .formatted(PlanText.count(over.kept().size(), "changeset"), again.plan("diff")));
      }
    }
    return lines;
  }

  private static void add(List<String> lines, String what, List<String> steps) {
    if (!steps.isEmpty()) {
      lines.add("  %s: %s".formatted(what, Plain.line(PlanDiffCommand.some(steps))));
    }
  }
}
