package dev.handoff.internal.facade.plan;

import dev.handoff.StoreException;
import dev.handoff.UnavailableException;
import dev.handoff.internal.ask.CallbackThreads;
import dev.handoff.internal.ask.EngineStage;
import dev.handoff.internal.ask.StageFailures;
import dev.handoff.internal.plan.PlanState;
import dev.handoff.internal.plan.change.StoreContents;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanNotFoundException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/// Query of a plan's changes. Runs on a separate thread, because contents are read from the store
/// and compared, which takes time.
record PlanChangeQuery(PlanId plan, PlanCalls calls) {

  /// A view of a plan's changes.
  interface Reading<T> {
    /// @param asked requested plan, possibly a child of the topmost plan
    T of(PlanState asked, PlanChangeViews changes);
  }

  /// Reads a view of the changes in the topmost plan. The stage fails with a
  /// [PlanNotFoundException] if the plan does not exist, and with an [UnavailableException] while
  /// the store is away.
  <T> CompletionStage<T> read(Reading<T> read) {
    return state(plan)
        .thenCompose(
            asked ->
                root(asked)
                    .thenCompose(
                        root ->
                            onThread(
                                () ->
                                    read.of(
                                        asked,
                                        new PlanChangeViews(
                                            root, new StoreContents(calls.engine().store()))))));
  }

  private CompletionStage<PlanState> root(PlanState asked) {
    var origin = asked.spec().origin();
    return origin == null ? CompletableFuture.completedStage(asked) : state(origin.root());
  }

  private CompletionStage<PlanState> state(PlanId id) {
    return calls
        .state(id)
        .thenApply(found -> found.orElseThrow(() -> new PlanNotFoundException(id)));
  }

  /// Runs blocking code on a thread for such code.
  static <T> CompletionStage<T> onThread(Supplier<T> code) {
    var result = new EngineStage<T>();
    CallbackThreads.chores()
        .execute(
            () -> {
              try {
                result.complete(code.get());
              } catch (Throwable failure) {
                result.completeExceptionally(told(failure));
              }
            });
    return result;
  }

  private static Throwable told(Throwable failure) {
    return switch (StageFailures.cause(failure)) {
      case StoreException.Unavailable away -> new UnavailableException(away.getMessage());
      case Throwable other -> other;
    };
  }
}
