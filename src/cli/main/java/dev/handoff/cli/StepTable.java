package dev.handoff.cli;

import dev.handoff.JobInfo;
import dev.handoff.cli.Screen.Style;
import dev.handoff.internal.text.Durations;
import dev.handoff.plan.PlanInfo;
import java.util.List;

/// Table of a plan's steps; steps of child plans are indented.
final class StepTable {

  private static final List<String> HEAD =
      List.of("STEP", "STATUS", "TYPE", "ATTEMPTS", "TOOK", "");

  private final TextTable table = new TextTable(HEAD);

  private StepTable() {}

  static String of(PlanInfo plan, Screen screen) {
    var steps = new StepTable();
    steps.add(plan, "");
    return steps.table.draw(screen);
  }

  private void add(PlanInfo plan, String indent) {
    for (var step : plan.steps()) {
      table.row(
          TextTable.cell(indent + TerminalText.brief(step.name(), 60)),
          TextTable.cell(step.status(), styleOf(step.status())),
          TextTable.cell(step.type().map(type -> TerminalText.brief(type, 30)).orElse("plan")),
          TextTable.cell(step.info().map(StepTable::attempts).orElse("")),
          TextTable.cell(step.info().map(StepWords::took).map(Durations::format).orElse("")),
          TextTable.cell(TerminalText.brief(why(step), 60)));
      step.plan().ifPresent(child -> add(child, indent + "  "));
    }
  }

  /// Number of attempts, including those before a retry of the plan.
  private static String attempts(JobInfo job) {
    return job.attempt() == 0 ? "" : Integer.toString(job.attempt());
  }

  /// Reason of a failure or cancel, or the steps that this step waits for.
  private static String why(PlanInfo.Step step) {
    if (step.stage() == PlanInfo.StepStatus.WAITING && !step.after().isEmpty()) {
      return "after " + String.join(", ", step.after());
    }
    return step.reason().map(JobEndText::told).orElse("");
  }

  static Style styleOf(String status) {
    return switch (status) {
      case "succeeded" -> Style.GREEN;
      case "failed", "failing" -> Style.RED;
      case "cancelled", "cancelling" -> Style.YELLOW;
      case "running", "claimed" -> Style.CYAN;
      default -> Style.DIM;
    };
  }
}
