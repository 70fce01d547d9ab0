package dev.handoff.cli;

import dev.handoff.Durations;
import dev.handoff.JobInfo;
import dev.handoff.PlanInfo;
import dev.handoff.StepInfo;
import dev.handoff.cli.Screen.Style;
import dev.handoff.plan.StepStatus;
import java.util.List;

/// The steps of a plan as a table, those of child plans below their step.
final class StepTable {

  private static final List<String> HEAD =
      List.of("STEP", "STATUS", "TYPE", "ATTEMPTS", "TOOK", "");

  private final Table table = new Table(HEAD);

  private StepTable() {}

  static String of(PlanInfo plan, Screen screen) {
    var steps = new StepTable();
    steps.add(plan, "");
    return steps.table.draw(screen);
  }

  private void add(PlanInfo plan, String indent) {
    for (var step : plan.steps()) {
      table.row(
          Table.cell(indent + Plain.brief(step.name(), 60)),
          Table.cell(step.status(), styleOf(step.status())),
          Table.cell(step.type().map(type -> Plain.brief(type, 30)).orElse("plan")),
          Table.cell(step.info().map(StepTable::attempts).orElse("")),
          Table.cell(step.info().map(StepWords::took).map(Durations::format).orElse("")),
          Table.cell(Plain.brief(why(step), 60)));
      step.plan().ifPresent(child -> add(child, indent + "  "));
    }
  }

  /// Those before a retry of the plan count, too.
  private static String attempts(JobInfo job) {
    return job.attempt() == 0 ? "" : Integer.toString(job.attempt());
  }

  /// Why it did not succeed, or what it is waiting for.
  private static String why(StepInfo step) {
    if (step.stage() == StepStatus.WAITING && !step.after().isEmpty()) {
      return "after " + String.join(", ", step.after());
    }
    return step.reason().map(Ends::told).orElse("");
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
