package dev.handoff.internal.facade.plan;

import dev.handoff.JobRequest;
import dev.handoff.Json;
import dev.handoff.internal.facade.JobSubmissions;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.internal.plan.PlanDraft;
import dev.handoff.internal.plan.PlanRules;
import dev.handoff.internal.text.LocatedProblem;
import dev.handoff.internal.text.SafeText;
import dev.handoff.plan.PlanFile;
import dev.handoff.plan.PlanRequest;
import dev.handoff.plan.PlanSubmission;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Validation of a plan submission: each job as in a single submission, and the plan as a whole.
/// All problems are reported together, each with its step.
public final class PlanDrafting {

  private static final int MOST_PROBLEMS = 20;
  private static final JobSpec UNFIT = JobSpec.of("unfit", Json.NULL);

  /// Draft of a plan, or a refusal.
  ///
  /// @param draft valid plan; null = refused
  /// @param refusal answer to an invalid plan; null = valid
  public record Drafted(@Nullable PlanDraft draft, @Nullable PlanSubmission refusal) {}

  private final Function<JobRequest, JobSubmissions.Checked> check;
  private final List<LocatedProblem> problems = new ArrayList<>();
  private final Set<String> unknown = new TreeSet<>();
  private Set<String> known = Set.of();
  private int steps;

  private PlanDrafting(Function<JobRequest, JobSubmissions.Checked> check) {
    this.check = check;
  }

  public static Drafted of(PlanRequest request, JobSubmissions submissions) {
    return of(request, submissions, LocatedProblem::message);
  }

  /// Draft of the plan of a file. Problems have the file name and the line of their step.
  public static Drafted of(PlanFile file, JobSubmissions submissions) {
    return of(
        file.request(),
        submissions,
        problem -> {
          var line = file.lines().getOrDefault(problem.path(), 0);
          return SafeText.shown(file.name()) + ": " + problem.inLine(line).message();
        });
  }

  private static Drafted of(
      PlanRequest request, JobSubmissions submissions, Function<LocatedProblem, String> words) {
    var drafting = new PlanDrafting(submissions::check);
    var draft = drafting.whole(request);
    if (!drafting.problems.isEmpty()) {
      return new Drafted(
          null, new PlanSubmission.Invalid(drafting.problems.stream().map(words).toList()));
    }
    return drafting.unknown.isEmpty()
        ? new Drafted(draft, null)
        : new Drafted(null, new PlanSubmission.UnknownType(drafting.unknown, drafting.known));
  }

  /// Problems of a plan's structure, whatever its jobs are.
  static List<LocatedProblem> problems(PlanRequest request) {
    var drafting = new PlanDrafting(job -> new JobSubmissions.Fit(UNFIT));
    drafting.whole(request);
    return drafting.problems;
  }

  private PlanDraft whole(PlanRequest request) {
    var draft = plan(request, "", 1);
    if (steps <= PlanRules.MOST_STEPS) {
      PlanRules.problems(draft).forEach(this::add);
    } else {
      add("", "", "plan: it has more than %,d steps".formatted(PlanRules.MOST_STEPS));
    }
    return draft;
  }

  /// Draft of a plan without its too deep or surplus steps, which the plan rules report.
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
    return new PlanDraft(
        request.name(),
        request.maxParallel(),
        request.failFast(),
        request.deadline().orElse(null),
        drafted);
  }

  private JobSpec job(JobRequest job, String path) {
    return switch (check.apply(job)) {
      case JobSubmissions.Fit(var spec) -> spec;
      case JobSubmissions.Unknown(var type, var others) -> {
        unknown.add(type);
        known = others;
        yield UNFIT;
      }
      case JobSubmissions.Invalid(var wrong) -> {
        wrong.forEach(
            problem -> add(path, "", "step %s: %s".formatted(SafeText.shown(path), problem)));
        yield UNFIT;
      }
    };
  }

  private void keyOnce(JobRequest job, String path, Map<String, String> keys) {
    var key = job.key();
    var first = key.map(own -> keys.putIfAbsent(own, path));
    if (first.isPresent()) {
      add(
          path,
          "key",
          "step %s: key \"%s\" belongs to step %s: a key is there once in a plan"
              .formatted(
                  SafeText.shown(path), SafeText.shown(key.get()), SafeText.shown(first.get())));
    }
  }

  private void add(String path, String field, String text) {
    add(new LocatedProblem(path, field, 0, text));
  }

  private void add(LocatedProblem problem) {
    if (problems.size() < MOST_PROBLEMS) {
      problems.add(problem);
    }
  }
}
