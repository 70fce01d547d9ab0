package dev.handoff.cli;

import dev.handoff.JobInfo;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Follow-up commands for a plan, ready to type: with the options of its store and of its handlers.
///
/// @param store store options with a leading blank; empty for the default store
/// @param work handler options with a leading blank; empty if none are needed
record NextCommand(PlanId id, String store, String work) {

  /// Commands with the options that the unfinished steps need.
  static NextCommand of(PlanInfo plan, StoreOptions store) {
    var work = NeededOptions.of(stepsByType(plan).keySet(), unfinished(plan));
    return new NextCommand(plan.id(), store.again(), work);
  }

  /// Steps that have not succeeded, by job type.
  static Map<String, List<String>> stepsByType(PlanInfo plan) {
    var steps = new TreeMap<String, List<String>>();
    note(plan, "", steps);
    return steps;
  }

  /// Jobs of these steps, if already created.
  private static List<JobInfo> unfinished(PlanInfo plan) {
    var jobs = new ArrayList<JobInfo>();
    for (var step : plan.steps()) {
      step.plan().ifPresent(child -> jobs.addAll(unfinished(child)));
      if (step.stage() != PlanInfo.StepStatus.SUCCEEDED) {
        step.info().ifPresent(jobs::add);
      }
    }
    return jobs;
  }

  private static void note(PlanInfo plan, String at, Map<String, List<String>> steps) {
    for (var step : plan.steps()) {
      var path = at + step.name();
      step.plan().ifPresent(child -> note(child, path + "/", steps));
      if (step.stage() != PlanInfo.StepStatus.SUCCEEDED) {
        step.type()
            .ifPresent(
                type -> steps.computeIfAbsent(type, none -> new ArrayList<>()).add("step " + path));
      }
    }
  }

  /// Command line such as `handoff plan diff ID --data d`.
  String plan(String command) {
    return "handoff plan %s %s%s".formatted(command, id, store);
  }

  /// Command line with more arguments before the options.
  String plan(String command, String more) {
    return "handoff plan %s %s %s%s".formatted(command, id, more, store);
  }

  String retry() {
    return plan("retry") + work;
  }

  /// Command that resolves a conflict. A path that looks like an option goes to the end, after
  /// `--`.
  String resolve(String path) {
    var command =
        path.startsWith("-")
            ? plan("resolve", "--ours") + " -- " + word(path)
            : plan("resolve", word(path) + " --ours");
    return command + " (or --theirs, --content FILE)";
  }

  /// An option with its value and a leading blank.
  static String option(String name, String value) {
    return " " + name + (value.startsWith("-") ? "=" : " ") + word(value);
  }

  /// Text quoted as one shell word.
  static String word(String text) {
    var plain = TerminalText.line(text);
    return plain.matches("[\\p{L}\\p{N}_./:@%+=,-]+")
        ? plain
        : "'" + plain.replace("'", "'\\''") + "'";
  }
}
