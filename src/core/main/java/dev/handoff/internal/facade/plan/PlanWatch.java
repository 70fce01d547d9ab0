package dev.handoff.internal.facade.plan;

import dev.handoff.UnavailableException;
import dev.handoff.internal.ask.CallbackThreads;
import dev.handoff.internal.ask.EngineStage;
import dev.handoff.internal.ask.FullHeapSteps;
import dev.handoff.internal.job.JobWatchers;
import dev.handoff.internal.plan.Plan;
import dev.handoff.internal.plan.PlanReply;
import dev.handoff.internal.plan.PlanState;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanNotFoundException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Waits for the end of a plan, however long that takes. The watch repeats its question, because a
/// question is cheap and an answer may get lost.
final class PlanWatch {

  private final PlanId plan;
  private final PlanCalls calls;
  private final CompletableFuture<PlanState> ended;
  private final Consumer<@Nullable PlanReply> hearing = this::onReply;
  private final Consumer<PlanWatch> asking = PlanWatch::ask;
  private final Runnable again = this::askAgain;

  PlanWatch(PlanId plan, PlanCalls calls) {
    this(plan, calls, new EngineStage<>());
  }

  /// @param ended completed with the final state of the plan
  PlanWatch(PlanId plan, PlanCalls calls, CompletableFuture<PlanState> ended) {
    this.plan = plan;
    this.calls = calls;
    this.ended = ended;
  }

  /// Starts the watch. The stage fails only with a [PlanNotFoundException], or when the engine
  /// ends.
  CompletionStage<PlanState> start() {
    ask();
    return ended;
  }

  private void ask() {
    calls
        .ask(plan, Plan.Watch::new, JobWatchers.PATIENCE)
        .whenComplete((reply, failure) -> FullHeapSteps.outlast(hearing, reply));
  }

  private void onReply(@Nullable PlanReply reply) {
    switch (reply) {
      case PlanReply.Current(var state) -> ended.complete(state);
      case PlanReply.NotFound none -> ended.completeExceptionally(new PlanNotFoundException(plan));
      case null -> askUnlessOver();
      case PlanReply notNow -> askLater();
    }
  }

  private void askUnlessOver() {
    var over = calls.engine().calls().over();
    if (over == null) {
      askLater();
    } else {
      ended.completeExceptionally(new UnavailableException(over));
    }
  }

  private void askAgain() {
    FullHeapSteps.outlast(asking, this);
  }

  /// Repeats the question after a delay: the plan is overloaded, or its store is away. Random
  /// jitter spreads the callers' retries.
  private void askLater() {
    long millis = calls.retryAfter().toMillis();
    long varied = millis + ThreadLocalRandom.current().nextLong(millis + 1);
    CompletableFuture.delayedExecutor(varied, TimeUnit.MILLISECONDS, CallbackThreads.answers())
        .execute(again);
  }
}
