package dev.handoff;

import dev.handoff.job.Text;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanSpec;
import dev.handoff.plan.PlanState;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Looks for a step, also in the plans below.
///
/// @param plans where these are found
/// @param plan where the search begins
/// @param path what is searched for
record PlanStepSearch(
    Function<PlanId, CompletionStage<Optional<PlanState>>> plans, PlanState plan, String path) {

  private static final int MOST_NAMED = 20;

  /// Its path from the plan at the top. Fails with a [PlanStepNotFoundException] if there is none.
  CompletionStage<String> start() {
    return in(plan, "", path).thenApply(found -> plan.spec().path(path));
  }

  /// A plan that is not kept any more may have had any step.
  private CompletionStage<@Nullable Void> in(PlanState here, String at, String wanted) {
    int end = wanted.indexOf('/');
    var name = end < 0 ? wanted : wanted.substring(0, end);
    var step = here.spec().steps().stream().filter(one -> one.name().equals(name)).findFirst();
    if (step.isEmpty()) {
      return notThere(known(here.spec(), at));
    }
    if (end < 0) {
      return CompletableFuture.completedStage(null);
    }
    var child = step.get().plan();
    return child == null
        ? notThere("\"%s\" is a job".formatted(at + name))
        : plans
            .apply(child)
            .thenCompose(
                found ->
                    found.isEmpty()
                        ? CompletableFuture.completedStage(null)
                        : in(found.get(), at + name + "/", wanted.substring(end + 1)));
  }

  private static String known(PlanSpec spec, String at) {
    var names = spec.steps().stream().map(step -> at + step.name()).limit(MOST_NAMED).toList();
    return "there are %s%s"
        .formatted(
            String.join(", ", names), spec.steps().size() > names.size() ? " and others" : "");
  }

  private CompletionStage<@Nullable Void> notThere(String why) {
    return CompletableFuture.failedStage(
        new PlanStepNotFoundException(plan.id(), Text.shown(path), why));
  }
}
