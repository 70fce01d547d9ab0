package dev.handoff.cli;

import dev.handoff.PlanCancelReport;
import java.util.ArrayList;
import java.util.List;

/// What came of the cancel of a plan, to be read by people.
final class CancelText {

  private CancelText() {}

  /// @param plan how commands name the plan and its store
  static String of(PlanCancelReport report, String plan) {
    return switch (report) {
      case PlanCancelReport.Cancelled over -> String.join("\n", lines(over, plan));
      case PlanCancelReport.Already(var id, var status) ->
          "plan %s has %s already".formatted(id, words(status.label()));
      case PlanCancelReport.NotFound(var id) -> "plan %s does not exist".formatted(id);
    };
  }

  private static String words(String status) {
    return status.equals("cancelled") ? "been cancelled" : status;
  }

  private static List<String> lines(PlanCancelReport.Cancelled over, String plan) {
    var lines = new ArrayList<String>();
    lines.add("plan %s is cancelled: %s".formatted(over.plan(), Plain.line(over.reason())));
    add(lines, "stopped", over.stopped());
    add(lines, "finished before", over.finished());
    add(lines, "failed before", over.failed());
    add(lines, "never ran", over.neverRan());
    add(lines, "did not stop, and may still run", over.abandoned());
    if (!over.kept().isEmpty()) {
      lines.add(
          "  kept: %s (handoff plan diff %s)"
              .formatted(PlanText.count(over.kept().size(), "changeset"), plan));
    }
    lines.add("  to go on: handoff plan retry " + plan);
    return lines;
  }

  private static void add(List<String> lines, String what, List<String> steps) {
    if (!steps.isEmpty()) {
      lines.add("  %s: %s".formatted(what, PlanDiffCommand.some(steps)));
    }
  }
}
