package dev.handoff;

import dev.handoff.job.JobSpec;
import dev.handoff.job.Json;
import dev.handoff.job.Text;
import dev.handoff.plan.PlanDraft;
import dev.handoff.plan.PlanRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What every submission of a plan goes through: each job of it is checked like a submission of its
/// own, and the plan as a whole. Everything that is wrong is said at once, each with its step.
final class PlanDrafting {

  private static final int MOST_PROBLEMS = 20;
  private static final JobSpec UNFIT = JobSpec.of("unfit", Json.NULL);

  /// A draft, or why there is none.
  ///
  /// @param draft null = refused
  /// @param refusal null = a draft
  record Drafted(@Nullable PlanDraft draft, @Nullable PlanSubmission refusal) {}

  private final Function<JobRequest, Submissions.Checked> check;
  private final List<String> problems = new ArrayList<>();
  private final Set<String> unknown = new TreeSet<>();
  private Set<String> known = Set.of();
  private int steps;

  private PlanDrafting(Function<JobRequest, Submissions.Checked> check) {
    this.check = check;
  }

  static Drafted of(PlanRequest request, Submissions submissions) {
    var drafting = new PlanDrafting(submissions::check);
    var draft = drafting.whole(request);
    if (!drafting.problems.isEmpty()) {
      return new Drafted(null, new PlanSubmission.Invalid(drafting.problems));
    }
    return drafting.unknown.isEmpty()
        ? new Drafted(draft, null)
        : new Drafted(null, new PlanSubmission.UnknownType(drafting.unknown, drafting.known));
  }

  /// What is wrong with a plan, whatever its jobs are.
  static List<String> problems(PlanRequest request) {
    var drafting = new PlanDrafting(job -> new Submissions.Fit(UNFIT));
    drafting.whole(request);
    return drafting.problems;
  }

  private PlanDraft whole(PlanRequest request) {
    var draft = plan(request, "", 1);
    if (steps <= PlanRules.MOST_STEPS) {
      PlanRules.problems(draft).forEach(this::add);
    } else {
      add("plan: it has more than %,d steps".formatted(PlanRules.MOST_STEPS));
    }
    return draft;
  }

  /// What is too deep or too much is left out: the rules of plans say so.
  private PlanDraft plan(PlanRequest request, String at, int level) {
    var drafted = new ArrayList<PlanDraft.Step>();
    Map<String, String> keys = new HashMap<>();
    for (var step : level > PlanRules.MOST_LEVELS ? List.<PlanRequest.Step>of() : request.steps()) {
      if (++steps > PlanRules.MOST_STEPS) {
        break;
      }
      var path = at + step.name();
      var after = step.after().steps();
      drafted.add(
          switch (step) {
            case PlanRequest.JobStep(var name, var job, var before) -> {
              keyOnce(job, path, keys);
              yield PlanDraft.Step.job(name, after, job(job, path));
            }
            case PlanRequest.PlanStep(var name, var plan, var before) ->
                PlanDraft.Step.plan(name, after, plan(plan, path + "/", level + 1));
          });
    }
    return request.draft(drafted);
  }

  private JobSpec job(JobRequest job, String path) {
    return switch (check.apply(job)) {
      case Submissions.Fit(var spec) -> spec;
      case Submissions.Unknown(var type, var others) -> {
        unknown.add(type);
        known = others;
        yield UNFIT;
      }
      case Submissions.Invalid(var wrong) -> {
        wrong.forEach(problem -> add("step %s: %s".formatted(Text.shown(path), problem)));
        yield UNFIT;
      }
    };
  }

  private void keyOnce(JobRequest job, String path, Map<String, String> keys) {
    var key = job.key();
    var first = key == null ? null : keys.putIfAbsent(key, path);
    if (first != null) {
      add(
          "step %s: key \"%s\" belongs to step %s: a key is there once in a plan"
              .formatted(Text.shown(path), Text.shown(key), Text.shown(first)));
    }
  }

  private void add(String problem) {
    if (problems.size() < MOST_PROBLEMS) {
      problems.add(problem);
    }
  }
}
