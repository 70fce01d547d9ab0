package dev.handoff.internal.ask;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;

/// Stage for the engine's internal use. Its dependents are short, non-blocking engine steps on
/// [CallbackThreads#answers()]: never on the thread of an actor or a store, and never behind a user
/// callback. Users get an [AnswerStage] instead.
public final class EngineStage<T> extends PooledStage<T> {

  private static final Executor THREADS = CallbackThreads.answers();

  /// Internal stage with the same result.
  public static <T> CompletionStage<T> of(CompletionStage<T> source) {
    var stage = new EngineStage<T>();
    follow(source, stage::take);
    return stage;
  }

  /// Runs a step on the thread that completes the stage, for any kind of stage.
  ///
  /// @param step short step without user code: the thread may be an actor's
  public static <T> void whenDone(
      CompletionStage<T> stage, BiConsumer<? super T, ? super Throwable> step) {
    follow(stage, step);
  }

  @Override
  public Executor defaultExecutor() {
    return THREADS;
  }

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new EngineStage<>();
  }
}
