package dev.handoff.internal.facade.plan;

import dev.handoff.JobId;
import dev.handoff.JobInfo;
import dev.handoff.internal.plan.PlanSpec;
import dev.handoff.internal.plan.PlanState;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/// Collects the snapshot of a plan: the plan, its child plans, and their jobs. The entities are
/// asked one after the other, so parts of the snapshot may differ by a moment.
final class PlanSnapshots {

  /// Largest number of steps for which ended steps are read, too.
  private static final int SMALL = 500;

  private static final int AT_ONCE = 64;

  /// Source of plan and job states.
  interface Source {
    CompletionStage<Optional<PlanState>> plan(PlanId id);

    CompletionStage<Optional<JobInfo>> job(JobId id);
  }

  private final Source source;
  private final boolean everything;

  /// @param everything whether ended steps are read in plans of any size
  PlanSnapshots(Source source, boolean everything) {
    this.source = source;
    this.everything = everything;
  }

  static Source live(PlanCalls calls) {
    return new Source() {
      @Override
      public CompletionStage<Optional<PlanState>> plan(PlanId id) {
        return calls.state(id);
      }

      @Override
      public CompletionStage<Optional<JobInfo>> job(JobId id) {
        return calls.jobs().jobIfThere(id);
      }
    };
  }

  /// Snapshot of the plan; empty if the plan does not exist.
  CompletionStage<Optional<PlanInfo>> at(PlanId id) {
    return source
        .plan(id)
        .thenCompose(
            found ->
                found.isEmpty()
                    ? CompletableFuture.completedStage(Optional.empty())
                    : at(found.get()).thenApply(Optional::of));
  }

  CompletionStage<PlanInfo> at(PlanState root) {
    var plans = new HashMap<PlanId, PlanState>();
    plans.put(root.id(), root);
    return below(List.of(root), plans)
        .thenCompose(all -> inTurn(toAsk(plans), source::job))
        .thenApply(found -> info(root, plans, byId(found)));
  }

  /// Loads the child plans of some plans, level by level.
  private CompletionStage<Map<PlanId, PlanState>> below(
      List<PlanState> level, Map<PlanId, PlanState> plans) {
    var children = new ArrayList<PlanId>();
    for (var plan : level) {
      plan.spec().steps().stream()
          .filter(step -> step.plan() != null)
          .forEach(step -> children.add(step.plan()));
    }
    if (children.isEmpty()) {
      return CompletableFuture.completedStage(plans);
    }
    return inTurn(children, source::plan)
        .thenCompose(
            found -> {
              var next = found.stream().flatMap(Optional::stream).toList();
              next.forEach(plan -> plans.put(plan.id(), plan));
              return below(next, plans);
            });
  }

  private List<JobId> toAsk(Map<PlanId, PlanState> plans) {
    int steps = plans.values().stream().mapToInt(plan -> plan.steps().size()).sum();
    boolean alsoEnded = everything || steps <= SMALL;
    var jobs = new ArrayList<JobId>();
    for (var plan : plans.values()) {
      for (var step : plan.spec().steps()) {
        if (step.job() != null && isToAsk(plan, step, alsoEnded)) {
          jobs.add(step.job());
        }
      }
    }
    return jobs;
  }

  private static boolean isToAsk(PlanState plan, PlanSpec.Step step, boolean alsoEnded) {
    var state = plan.steps().find(step.name()).orElseThrow();
    return switch (state.status()) {
      case RELEASED -> true;
      case WAITING -> alsoEnded && state.again();
      case SUCCEEDED, FAILED, CANCELLED -> alsoEnded;
    };
  }

  private static Map<JobId, JobInfo> byId(List<Optional<JobInfo>> found) {
    var jobs = new HashMap<JobId, JobInfo>();
    found.forEach(one -> one.ifPresent(job -> jobs.put(job.id(), job)));
    return jobs;
  }

  private static PlanInfo info(
      PlanState plan, Map<PlanId, PlanState> plans, Map<JobId, JobInfo> jobs) {
    var steps = new ArrayList<PlanInfo.Step>();
    for (var step : plan.spec().steps()) {
      var child = step.plan() == null ? null : plans.get(step.plan());
      steps.add(
          PlanView.step(
              step,
              plan.steps().find(step.name()).orElseThrow(),
              step.job() == null ? Optional.empty() : Optional.ofNullable(jobs.get(step.job())),
              child == null ? Optional.empty() : Optional.of(info(child, plans, jobs))));
    }
    return PlanView.of(plan, steps);
  }

  /// Asks for all items, a bounded number at a time.
  private static <T, R> CompletionStage<List<R>> inTurn(
      List<T> all, Function<T, CompletionStage<R>> ask) {
    CompletionStage<List<R>> answers = CompletableFuture.completedStage(new ArrayList<>());
    for (int from = 0; from < all.size(); from += AT_ONCE) {
      var some = all.subList(from, Math.min(all.size(), from + AT_ONCE));
      answers = answers.thenCompose(before -> plus(before, some, ask));
    }
    return answers;
  }

  private static <T, R> CompletionStage<List<R>> plus(
      List<R> before, List<T> some, Function<T, CompletionStage<R>> ask) {
    var asked = some.stream().map(one -> ask.apply(one).toCompletableFuture()).toList();
    return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
        .thenApply(
            done -> {
              asked.forEach(answer -> before.add(answer.join()));
              return before;
            });
  }
}
