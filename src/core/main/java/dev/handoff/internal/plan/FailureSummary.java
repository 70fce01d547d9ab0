package dev.handoff.internal.plan;

import dev.handoff.plan.PlanInfo;
import java.util.stream.Collectors;

/// Failure summary of a plan: all failed steps in one text.
final class FailureSummary {

  private static final int NAMED = 10;

  private FailureSummary() {}

  static String of(StepStates steps) {
    var failed =
        steps.all().stream().filter(step -> step.status() == PlanInfo.StepStatus.FAILED).toList();
    var bad =
        failed.isEmpty()
            ? steps.all().stream()
                .filter(step -> step.status() == PlanInfo.StepStatus.CANCELLED)
                .toList()
            : failed;
    var named =
        bad.stream()
            .limit(NAMED)
            .map(step -> "%s (%s)".formatted(step.name(), step.reason()))
            .collect(Collectors.joining(", "));
    var more = bad.size() > NAMED ? " and %,d more".formatted(bad.size() - NAMED) : "";
    var what = failed.isEmpty() ? "cancelled" : "failed";
    return "%,d of %,d steps %s: %s%s".formatted(bad.size(), steps.size(), what, named, more);
  }
}
