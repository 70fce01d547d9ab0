package dev.handoff.internal.plan;

import dev.handoff.plan.PlanInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Orders of a plan to its steps: start or stop. They follow from the plan's state, less the start
/// orders already sent; so a restart computes them again, and every order is idempotent.
public final class StepOrders {

  /// Order to one step.
  public sealed interface Order {
    PlanSpec.Step step();
  }

  /// Starts a step.
  ///
  /// @param again whether the step ended before, so that it needs a retry
  public record Start(PlanSpec.Step step, boolean again) implements Order {}

  /// Stops a step, or prevents its start.
  public record Stop(PlanSpec.Step step, String reason) implements Order {}

  private StepOrders() {}

  /// @param started steps with a start order that is not yet visible in the plan's state
  public static List<Order> of(PlanState plan, Set<String> started) {
    return switch (plan.phase()) {
      case PlanPhase.Waiting held -> List.of();
      case PlanPhase.Ended over -> List.of();
      case PlanPhase.Stopping stopping -> stopAll(plan, stopping.reason());
      case PlanPhase.Running running ->
          plan.isStopping() ? stopAll(plan, failFast(plan)) : next(plan, started);
    };
  }

  /// Reason to stop a waiting step; null if it may still run.
  static @Nullable String whyStopped(PlanState plan, String step) {
    return switch (plan.phase()) {
      case PlanPhase.Waiting held -> null;
      case PlanPhase.Ended over -> null;
      case PlanPhase.Stopping stopping -> stopping.reason();
      case PlanPhase.Running running ->
          plan.isStopping()
              ? failFast(plan)
              : plan.specOf(step).map(spec -> hopeless(spec, plan.steps())).orElse(null);
    };
  }

  private static String failFast(PlanState plan) {
    var first =
        plan.steps().all().stream()
            .filter(step -> step.status() == PlanInfo.StepStatus.FAILED)
            .findFirst()
            .orElseThrow();
    return "step %s failed, and the plan fails fast".formatted(first.name());
  }

  private static List<Order> stopAll(PlanState plan, String reason) {
    var orders = new ArrayList<Order>();
    var specs = plan.spec().steps();
    for (int at = 0; at < specs.size(); at++) {
      if (!plan.steps().at(at).status().isTerminal()) {
        orders.add(new Stop(specs.get(at), reason));
      }
    }
    return orders;
  }

  /// Starts ready steps up to `maxParallel`, in specification order, and stops steps that can never
  /// become ready.
  private static List<Order> next(PlanState plan, Set<String> started) {
    var orders = new ArrayList<Order>();
    var steps = plan.steps();
    int room = plan.spec().maxParallel() - active(plan, started);
    var specs = plan.spec().steps();
    boolean isStuck =
        steps.count(PlanInfo.StepStatus.FAILED) + steps.count(PlanInfo.StepStatus.CANCELLED) > 0;
    for (int at = 0; at < specs.size() && (room > 0 || isStuck); at++) {
      var spec = specs.get(at);
      var state = steps.at(at);
      if (state.status() != PlanInfo.StepStatus.WAITING || started.contains(spec.name())) {
        continue;
      }
      var why = isStuck ? hopeless(spec, steps) : null;
      if (why != null) {
        orders.add(new Stop(spec, why));
      } else if (room > 0 && isReady(spec, steps)) {
        orders.add(new Start(spec, state.again()));
        room--;
      }
    }
    return orders;
  }

  private static int active(PlanState plan, Set<String> started) {
    int onTheirWay = 0;
    for (var step : started) {
      var state = plan.steps().find(step);
      if (state.isPresent() && state.get().status() == PlanInfo.StepStatus.WAITING) {
        onTheirWay++;
      }
    }
    return plan.steps().count(PlanInfo.StepStatus.RELEASED) + onTheirWay;
  }

  private static boolean isReady(PlanSpec.Step spec, StepStates steps) {
    for (var before : spec.after()) {
      if (steps.find(before).orElseThrow().status() != PlanInfo.StepStatus.SUCCEEDED) {
        return false;
      }
    }
    return true;
  }

  /// Reason why a step can never start; null if a start is still possible.
  private static @Nullable String hopeless(PlanSpec.Step spec, StepStates steps) {
    for (var before : spec.after()) {
      var status = steps.find(before).orElseThrow().status();
      if (status == PlanInfo.StepStatus.FAILED || status == PlanInfo.StepStatus.CANCELLED) {
        return "step %s before it %s"
            .formatted(before, status == PlanInfo.StepStatus.FAILED ? "failed" : "was cancelled");
      }
    }
    return null;
  }
}
