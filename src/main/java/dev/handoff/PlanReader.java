package dev.handoff;

import dev.handoff.ask.CallbackThreads;
import dev.handoff.ask.EngineStage;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanState;
import dev.handoff.plan.change.StoreContents;
import dev.handoff.store.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/// Reads what the changes of a plan come to, on a thread of its own: contents are read from the
/// store, and compared, which takes its time.
record PlanReader(PlanId plan, PlanCalls calls) {

  /// Something that can be told of the changes of a plan.
  interface Reading<T> {
    /// @param asked the plan that was asked for, which may be a step of the one at the top
    T of(PlanState asked, PlanReading changes);
  }

  /// Reads something of the changes of the plan at the top. Fails with a [PlanNotFoundException] if
  /// there is none, and with an [UnavailableException] while the store is away.
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
                                        new PlanReading(
                                            root, new StoreContents(calls.inside().store()))))));
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

  /// What blocks, on a thread that may.
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
    return switch (failure) {
      case CompletionException wrapper when wrapper.getCause() != null -> told(wrapper.getCause());
      case StoreException.Unavailable away -> new UnavailableException(away.getMessage());
      case Throwable other -> other;
    };
  }
}
