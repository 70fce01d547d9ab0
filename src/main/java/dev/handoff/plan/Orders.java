package dev.handoff.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What the steps of a plan are to be told, given how it stands. Decided from the state alone, so
/// that it can be decided again after a restart: whoever has been told before does not mind.
public final class Orders {

  /// What one step is told.
  public sealed interface Order {
    PlanSpec.Step step();
  }

  /// It is its turn.
  ///
  /// @param again whether it ended before
  public record Start(PlanSpec.Step step, boolean again) implements Order {}

  /// It is not to run, or to stop.
  public record Stop(PlanSpec.Step step, String reason) implements Order {}

  private Orders() {}

  /// @param started steps that have been told to start, which cannot be seen in the state yet
  public static List<Order> of(PlanState plan, Set<String> started) {
    return switch (plan.phase()) {
      case PlanPhase.Waiting held -> List.of();
      case PlanPhase.Ended over -> List.of();
      case PlanPhase.Stopping stopping -> stopAll(plan, stopping.reason());
      case PlanPhase.Running running ->
          plan.isStopping() ? stopAll(plan, failFast(plan)) : next(plan, started);
    };
  }

  /// Why a step that waits is told to stop; null if it is not.
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
            .filter(step -> step.status() == StepStatus.FAILED)
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

  /// Starts what is ready while there is room, in the order of the specification, and stops what
  /// can never become ready.
  private static List<Order> next(PlanState plan, Set<String> started) {
    var orders = new ArrayList<Order>();
    var steps = plan.steps();
    int room = plan.spec().maxParallel() - active(plan, started);
    var specs = plan.spec().steps();
    boolean isStuck = steps.count(StepStatus.FAILED) + steps.count(StepStatus.CANCELLED) > 0;
    for (int at = 0; at < specs.size() && (room > 0 || isStuck); at++) {
      var spec = specs.get(at);
      var state = steps.at(at);
      if (state.status() != StepStatus.WAITING || started.contains(spec.name())) {
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
      if (state.isPresent() && state.get().status() == StepStatus.WAITING) {
        onTheirWay++;
      }
    }
    return plan.steps().count(StepStatus.RELEASED) + onTheirWay;
  }

  private static boolean isReady(PlanSpec.Step spec, Steps steps) {
    for (var before : spec.after()) {
      if (steps.find(before).orElseThrow().status() != StepStatus.SUCCEEDED) {
        return false;
      }
    }
    return true;
  }

  /// Why a step will never be ready; null if it may.
  private static @Nullable String hopeless(PlanSpec.Step spec, Steps steps) {
    for (var before : spec.after()) {
      var status = steps.find(before).orElseThrow().status();
      if (status == StepStatus.FAILED || status == StepStatus.CANCELLED) {
        return "step %s before it %s"
            .formatted(before, status == StepStatus.FAILED ? "failed" : "was cancelled");
      }
    }
    return null;
  }
}
