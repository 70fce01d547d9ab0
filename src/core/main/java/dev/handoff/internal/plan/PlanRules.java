package dev.handoff.internal.plan;

import dev.handoff.internal.text.DurationWords;
import dev.handoff.internal.text.LocatedProblem;
import dev.handoff.internal.text.NameRule;
import dev.handoff.internal.text.SafeText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Validation of submitted plans. It reports all problems at once, each with its location.
public final class PlanRules {

  public static final int MOST_STEPS = 10_000;
  public static final int MOST_LEVELS = 100;
  public static final int MOST_PARALLEL = 50;

  /// Longest delay of an actor system's timer with the default tick.
  static final Duration LONGEST = Duration.ofDays(200);

  /// Most bytes of a plan in total. At its end the whole state must fit one ledger append, with a
  /// chain link or a failure reason per step.
  static final long MOST_BYTES = 5_800_000;

  private static final int STEP_BYTES = 410;
  private static final int MOST_PROBLEMS = 20;
  private static final int MOST_SHOWN = 20;

  private final List<LocatedProblem> problems = new ArrayList<>();
  private int steps;
  private long bytes;

  private PlanRules() {}

  /// Lists the problems of a plan; empty if it is valid.
  public static List<LocatedProblem> problems(PlanDraft draft) {
    var rules = new PlanRules();
    rules.plan(draft, "", 1);
    if (rules.steps > MOST_STEPS) {
      rules.problem(
          "", "it has %,d steps, a plan has at most %,d".formatted(rules.steps, MOST_STEPS));
    }
    if (rules.bytes > MOST_BYTES) {
      rules.problem(
          "",
          "the names of its steps, with those of the steps before them, are too long for so many:"
              + " about %,d bytes to be kept, at most %,d; make it several plans"
                  .formatted(rules.bytes, MOST_BYTES));
    }
    return List.copyOf(rules.problems);
  }

  private void plan(PlanDraft plan, String at, int level) {
    if (level > MOST_LEVELS) {
      problem(at, "plans are at most %d levels deep".formatted(MOST_LEVELS));
      return;
    }
    NameRule.problem("name", plan.name()).ifPresent(wrong -> problem(at, "name", wrong));
    if (plan.maxParallel() < 1 || plan.maxParallel() > MOST_PARALLEL) {
      problem(
          at,
          "maxParallel",
          "maxParallel must be 1 to %d, was %d".formatted(MOST_PARALLEL, plan.maxParallel()));
    }
    var deadline = plan.deadline();
    if (deadline != null
        && (deadline.isNegative() || deadline.isZero() || deadline.compareTo(LONGEST) > 0)) {
      problem(
          at,
          "deadline",
          "deadline must be more than 0s and at most %s, was %s"
              .formatted(DurationWords.exact(LONGEST), DurationWords.exact(deadline)));
    }
    if (plan.steps().isEmpty()) {
      problem(at, "it has no steps");
    }
    steps(plan, at, level);
  }

  private void steps(PlanDraft plan, String at, int level) {
    Set<String> names = new HashSet<>();
    for (var step : plan.steps()) {
      steps++;
      var path = at + step.name();
      bytes += bytes(step, path);
      NameRule.problem("step", step.name())
          .ifPresent(wrong -> problem(at, step.name(), "name", wrong));
      if (!names.add(step.name())) {
        var shown = SafeText.shown(step.name());
        problem(at, step.name(), "name", "step \"%s\" is there twice".formatted(shown));
      }
      if ((step.job() == null) == (step.plan() == null)) {
        problem(path, "a step is either a job or a plan");
      } else if (step.plan() != null) {
        plan(step.plan(), path + "/", level + 1);
      }
    }
    edges(plan, names, at);
  }

  /// Approximate size of a step in the plan's state.
  private static long bytes(PlanDraft.Step step, String path) {
    long bytes = STEP_BYTES + 3L * String.valueOf(step.name()).length() + 2L * path.length();
    bytes += step.job() == null ? 0 : step.job().type().length();
    for (var before : step.after()) {
      bytes += before.length() + 2L;
    }
    return bytes;
  }

  /// Checks the order of all steps, those with a wrong name included. Of steps with the same name,
  /// the first counts for cycles.
  private void edges(PlanDraft plan, Set<String> names, String at) {
    Map<String, List<String>> after = new LinkedHashMap<>();
    for (var step : plan.steps()) {
      var known = new ArrayList<String>();
      for (var before : step.after()) {
        if (names.contains(before)) {
          known.add(before);
        } else {
          problem(
              at + step.name(),
              "after." + before,
              "it is after \"%s\", and there is no such step".formatted(SafeText.shown(before)));
        }
      }
      after.putIfAbsent(step.name(), known);
    }
    var circle = StepCycle.in(after);
    if (!circle.isEmpty()) {
      problem(at, circle.getFirst(), "", "its steps wait for each other: " + shown(circle));
    }
  }

  /// Text of a cycle, shortened in the middle: a cycle may have thousands of steps.
  private static String shown(List<String> names) {
    var circle = names.stream().map(SafeText::shown).toList();
    if (circle.size() <= MOST_SHOWN) {
      return String.join(" → ", circle);
    }
    int half = MOST_SHOWN / 2;
    return "%s → … %,d more … → %s"
        .formatted(
            String.join(" → ", circle.subList(0, half)),
            circle.size() - 2 * half,
            String.join(" → ", circle.subList(circle.size() - half, circle.size())));
  }

  private void problem(String at, String what) {
    problem(at, "", what);
  }

  private void problem(String at, String field, String what) {
    problem(at, "", field, what);
  }

  /// Adds a problem of a plan or step.
  ///
  /// @param at path of the plan, with a `/` at its end, or of the step
  /// @param step step of the plan that is at fault; empty without one
  private void problem(String at, String step, String field, String what) {
    if (problems.size() < MOST_PROBLEMS) {
      var path = at.endsWith("/") ? at.substring(0, at.length() - 1) : at;
      var place = path.isEmpty() ? "plan: " : "step %s: ".formatted(SafeText.shown(path));
      problems.add(new LocatedProblem(step.isEmpty() ? path : at + step, field, 0, place + what));
    }
  }
}
