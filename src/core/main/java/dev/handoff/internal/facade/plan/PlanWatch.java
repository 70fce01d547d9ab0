package dev.handoff.internal.facade.plan;

import dev.handoff.internal.facade.EndWatch;
import dev.handoff.internal.job.JobWatchers;
import dev.handoff.internal.plan.Plan;
import dev.handoff.internal.plan.PlanReply;
import dev.handoff.internal.plan.PlanState;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanNotFoundException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/// Waits for the end of a plan, however long that takes. Once the stage is cancelled, the watch
/// stops.
final class PlanWatch {

  private final PlanId plan;
  private final PlanCalls calls;
  private final CompletableFuture<PlanState> ended;

  /// @param ended completed with the final state of the plan
  PlanWatch(PlanId plan, PlanCalls calls, CompletableFuture<PlanState> ended) {
    this.plan = plan;
    this.calls = calls;
    this.ended = ended;
  }

  /// Starts the watch. The stage fails only with a [PlanNotFoundException], or when the engine
  /// ends.
  CompletionStage<PlanState> start() {
    new EndWatch<>(calls.engine(), ended, this::ask, this::onReply).start();
    return ended;
  }

  private CompletionStage<PlanReply> ask() {
    return calls.ask(plan, Plan.Watch::new, JobWatchers.PATIENCE);
  }

  private boolean onReply(PlanReply reply) {
    return switch (reply) {
      case PlanReply.Current(var state) -> ended.complete(state);
      case PlanReply.NotFound none -> ended.completeExceptionally(new PlanNotFoundException(plan));
      case PlanReply notNow -> false;
    };
  }
}
