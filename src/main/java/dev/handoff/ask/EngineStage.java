package dev.handoff.ask;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;

/// A stage of the engine's own. What follows from it are steps of the engine, which do not block,
/// and run on [CallbackThreads#answers()]: never on the thread of an actor or of a store, and never
/// behind a callback of a user. Whatever a user gets is made an [AnswerStage] before.
public final class EngineStage<T> extends PooledStage<T> {

  private static final Executor THREADS = CallbackThreads.answers();

  /// The same answer, for what the engine does next.
  public static <T> CompletionStage<T> of(CompletionStage<T> source) {
    var stage = new EngineStage<T>();
    follow(source, stage::take);
    return stage;
  }

  /// Takes a step on the thread that completes a stage, whatever kind of stage that is.
  ///
  /// @param step short, and no code of users: the thread may be an actor's
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
