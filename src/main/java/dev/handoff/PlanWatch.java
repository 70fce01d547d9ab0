package dev.handoff;

import dev.handoff.ask.CallbackThreads;
import dev.handoff.ask.EngineStage;
import dev.handoff.ask.FullHeap;
import dev.handoff.job.Watchers;
import dev.handoff.plan.Plan;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanReply;
import dev.handoff.plan.PlanState;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Waits for the end of a plan, however long that takes: asks again and again, since a question
/// costs little and its answer may get lost.
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

  /// @param ended completed with the plan as it has ended
  PlanWatch(PlanId plan, PlanCalls calls, CompletableFuture<PlanState> ended) {
    this.plan = plan;
    this.calls = calls;
    this.ended = ended;
  }

  /// Fails with a [PlanNotFoundException], or when the engine ends, and with nothing else.
  CompletionStage<PlanState> start() {
    ask();
    return ended;
  }

  private void ask() {
    calls
        .ask(plan, Plan.Watch::new, Watchers.PATIENCE)
        .whenComplete((reply, failure) -> FullHeap.outlast(hearing, reply));
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
    var over = calls.inside().calls().over();
    if (over == null) {
      askLater();
    } else {
      ended.completeExceptionally(new UnavailableException(over));
    }
  }

  private void askAgain() {
    FullHeap.outlast(asking, this);
  }

  /// The plan is crowded, or its store is away. Not all of those who wait come back at once.
  private void askLater() {
    long millis = calls.retryAfter().toMillis();
    long varied = millis + ThreadLocalRandom.current().nextLong(millis + 1);
    CompletableFuture.delayedExecutor(varied, TimeUnit.MILLISECONDS, CallbackThreads.answers())
        .execute(again);
  }
}
