package dev.handoff.internal.facade.plan;

import dev.handoff.internal.plan.PlanSpec;
import dev.handoff.internal.plan.PlanState;
import dev.handoff.internal.text.SafeText;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanStepNotFoundException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Search for a step, including child plans.
///
/// @param plans look-up of child plans
/// @param plan plan in which the search begins
/// @param path path of the step, from that plan
record PlanStepSearch(
    Function<PlanId, CompletionStage<Optional<PlanState>>> plans, PlanState plan, String path) {

  private static final int MOST_NAMED = 20;

  /// Path of the step from the topmost plan. The stage fails with a [PlanStepNotFoundException] if
  /// the step does not exist.
  CompletionStage<String> start() {
    return in(plan, "", path).thenApply(found -> plan.spec().path(path));
  }

  /// Searches one level. A child plan that is no longer stored may have had any step, so the search
  /// succeeds there.
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
        new PlanStepNotFoundException(plan.id(), SafeText.shown(path), why));
  }
}
