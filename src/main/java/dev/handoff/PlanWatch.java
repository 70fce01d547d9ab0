package dev.handoff;

import dev.handoff.plan.Plan;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanReply;
import dev.handoff.plan.PlanState;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Waits for the end of a plan, however long that takes: asks again and again, since a question
/// costs little and its answer may get lost.
final class PlanWatch {

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final PlanId plan;
  private final PlanCalls calls;
  private final CompletableFuture<PlanState> ended = new CompletableFuture<>();

  PlanWatch(PlanId plan, PlanCalls calls) {
    this.plan = plan;
    this.calls = calls;
  }

  /// Fails with a [PlanNotFoundException], or when the engine ends, and with nothing else.
  CompletionStage<PlanState> start() {
    ask();
    return ended;
  }

  private void ask() {
    calls.ask(plan, Plan.Watch::new, PATIENCE).whenComplete(this::onReply);
  }

  private void onReply(@Nullable PlanReply reply, @Nullable Throwable failure) {
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

  /// The plan is crowded, or its store is away. Not all of those who wait come back at once.
  private void askLater() {
    long millis = calls.retryAfter().toMillis();
    long varied = millis + ThreadLocalRandom.current().nextLong(millis + 1);
    CompletableFuture.delayedExecutor(varied, TimeUnit.MILLISECONDS, Thread::startVirtualThread)
        .execute(this::ask);
  }
}
