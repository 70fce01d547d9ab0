package dev.handoff.cli;

import dev.handoff.plan.ChainVerdict;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanInfo;
import dev.handoff.plan.PlanStatus;
import dev.handoff.plan.StepStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Expectations for the demo plan as a whole.
///
/// @param head head of the hash chain; null if it was altered
/// @param applied number of applies
/// @param site expected file contents
record DemoPlanRole(PlanId plan, @Nullable String head, int applied, Map<String, String> site) {

  /// Deviations from the expectations; empty if none.
  List<String> differences(DemoRemains found) {
    var differences = new ArrayList<String>();
    if (found.plan() == null) {
      return List.of("the plan is not there");
    }
    if (found.plan().status() != PlanStatus.SUCCEEDED) {
      differences.add("the plan is " + found.plan().status().label());
    }
    steps(found.plan(), "", differences);
    if (found.plan().size() != DemoSteps.COUNT) {
      differences.add("the plan has %d steps".formatted(found.plan().size()));
    }
    if (found.plan().applied().size() != applied) {
      differences.add("the plan was applied %d times".formatted(found.plan().applied().size()));
    }
    chain(found.verdict(), differences);
    files(found.site(), differences);
    return differences;
  }

  private static void steps(PlanInfo plan, String at, List<String> differences) {
    for (var step : plan.steps()) {
      if (step.stage() != StepStatus.SUCCEEDED) {
        differences.add("step %s%s is %s".formatted(at, step.name(), step.status()));
      }
      step.plan().ifPresent(child -> steps(child, at + step.name() + "/", differences));
    }
  }

  private void chain(@Nullable ChainVerdict verdict, List<String> differences) {
    switch (verdict) {
      case ChainVerdict.Intact intact when !intact.head().equals(head) ->
          differences.add("the head of the plan is " + intact.head());
      case ChainVerdict.Intact same -> {}
      case ChainVerdict.Altered altered ->
          differences.add("the plan is altered: " + altered.what());
      case null -> differences.add("the changes of the plan are not there");
    }
  }

  private void files(Map<String, String> found, List<String> differences) {
    var paths = new TreeSet<>(found.keySet());
    paths.addAll(site.keySet());
    for (var path : paths) {
      if (!found.containsKey(path)) {
        differences.add(path + " is not there");
      } else if (!site.containsKey(path)) {
        differences.add(path + " is there");
      } else if (!found.get(path).equals(site.get(path))) {
        differences.add(path + " holds something else");
      }
    }
  }
}
