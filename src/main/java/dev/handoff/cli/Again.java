package dev.handoff.cli;

import dev.handoff.JobInfo;
import dev.handoff.PlanInfo;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.StepStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Commands about a plan as they can be typed again: with its store, and with what its steps need.
///
/// @param store the options of the store, with a blank before them; empty for the usual one
/// @param work the options of what may run, with a blank before them; empty if it needs none
record Again(PlanId id, String store, String work) {

  /// For whoever has not been told what may run: what the unfinished steps need.
  static Again of(PlanInfo plan, StoreOptions store) {
    var work = NeededOptions.of(stepsByType(plan).keySet(), unfinished(plan));
    return new Again(plan.id(), store.again(), work);
  }

  /// The steps that have not succeeded, by their type.
  static Map<String, List<String>> stepsByType(PlanInfo plan) {
    var steps = new TreeMap<String, List<String>>();
    note(plan, "", steps);
    return steps;
  }

  /// The jobs of those steps, as far as they are known.
  private static List<JobInfo> unfinished(PlanInfo plan) {
    var jobs = new ArrayList<JobInfo>();
    for (var step : plan.steps()) {
      step.plan().ifPresent(child -> jobs.addAll(unfinished(child)));
      if (step.stage() != StepStatus.SUCCEEDED) {
        step.info().ifPresent(jobs::add);
      }
    }
    return jobs;
  }

  private static void note(PlanInfo plan, String at, Map<String, List<String>> steps) {
    for (var step : plan.steps()) {
      var path = at + step.name();
      step.plan().ifPresent(child -> note(child, path + "/", steps));
      if (step.stage() != StepStatus.SUCCEEDED) {
        step.type()
            .ifPresent(
                type -> steps.computeIfAbsent(type, none -> new ArrayList<>()).add("step " + path));
      }
    }
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

  /// What begins like an option goes behind all of them.
  String resolve(String path) {
    var command =
        path.startsWith("-")
            ? plan("resolve", "--ours") + " -- " + word(path)
            : plan("resolve", word(path) + " --ours");
    return command + " (or --theirs, --content FILE)";
  }

  /// An option with its value, and a blank before it.
  static String option(String name, String value) {
    return " " + name + (value.startsWith("-") ? "=" : " ") + word(value);
  }

  /// As a shell takes it for one word.
  static String word(String text) {
    var plain = Plain.line(text);
    return plain.matches("[\\p{L}\\p{N}_./:@%+=,-]+")
        ? plain
        : "'" + plain.replace("'", "'\\''") + "'";
  }
}
