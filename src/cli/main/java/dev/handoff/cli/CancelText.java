package dev.handoff.cli;

import dev.handoff.plan.PlanCancelReport;
import java.util.ArrayList;
import java.util.List;

/// Readable outcome of a plan's cancel.
final class CancelText {

  private CancelText() {}

  /// @param again follow-up commands for the plan
  static String of(PlanCancelReport report, NextCommand again) {
    return switch (report) {
      case PlanCancelReport.Cancelled over ->
          "plan %s is cancelled: %s\n%s\n  to go on: %s"
              .formatted(
                  over.plan(),
                  TerminalText.line(over.reason()),
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

  /// Outcome per group of steps; empty if the plan was not cancelled.
  static List<String> parts(PlanCancelReport report, NextCommand again) {
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
      lines.add("  %s: %s".formatted(what, TerminalText.line(PlanDiffCommand.some(steps))));
    }
  }
}
