package dev.handoff.plan;

import java.util.stream.Collectors;

/// Why a plan has failed, in words: all of its failures together.
final class Failures {

  private static final int NAMED = 10;

  private Failures() {}

  static String of(Steps steps) {
    var failed = steps.all().stream().filter(step -> step.status() == StepStatus.FAILED).toList();
    var bad =
        failed.isEmpty()
            ? steps.all().stream().filter(step -> step.status() == StepStatus.CANCELLED).toList()
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
