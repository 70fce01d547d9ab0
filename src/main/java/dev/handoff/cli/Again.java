package dev.handoff.cli;

import dev.handoff.PlanInfo;
import dev.handoff.handlers.BuiltInHandlers;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.StepStatus;
import java.util.Set;
import java.util.TreeSet;

/// Commands about a plan as they can be typed again: with its store, and with what its steps need.
///
/// @param store the options of the store, with a blank before them; empty for the usual one
/// @param work the options of what may run, with a blank before them; empty if it needs none
record Again(PlanId id, String store, String work) {

  /// For whoever has not been told what may run: what the unfinished steps need.
  static Again of(PlanInfo plan, StoreOptions store) {
    var types = unfinished(plan);
    var work =
        (types.contains(BuiltInHandlers.EXEC) ? " --allow-exec" : "")
            + (types.contains(BuiltInHandlers.HTTP) ? " --allow-http HOST" : "");
    return new Again(plan.id(), store.again(), work);
  }

  /// The types of the steps that have not succeeded.
  static Set<String> unfinished(PlanInfo plan) {
    var types = new TreeSet<String>();
    for (var step : plan.steps()) {
      step.plan().ifPresent(child -> types.addAll(unfinished(child)));
      if (step.spec().type() != null && step.state().status() != StepStatus.SUCCEEDED) {
        types.add(step.spec().type());
      }
    }
    return types;
  }

  /// Such as `handoff plan diff ID --data d`.
  String plan(String command) {
    return "handoff plan %s %s%s".formatted(command, id, store);
  }

  /// With more arguments, in front of the options.
  String plan(String command, String more) {
    return "handoff plan %s %s %s%s".formatted(command, id, more, store);
  }

  String retry() {
    return plan("retry") + work;
  }

  String resolve(String path) {
    return plan("resolve", word(path) + " --ours") + " (or --theirs, --content FILE)";
  }

  /// As a shell takes it for one word.
  static String word(String text) {
    var plain = Plain.line(text);
    return plain.matches("[\\p{L}\\p{N}_./:@%+=,-]+") && !plain.startsWith("-")
        ? plain
        : "'" + plain.replace("'", "'\\''") + "'";
  }
}
