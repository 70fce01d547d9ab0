package dev.handoff.ask;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/// The stage that a user gets. Its callbacks are code of users, and run on
/// [CallbackThreads#callbacks()]: one that blocks delays no other one, and no actor. The engine
/// itself lets nothing follow from it, for all of these threads may be blocked; what waits for the
/// stage without a callback needs none of them.
public non-sealed class AnswerStage<T> extends PooledStage<T> {

  private static final Executor THREADS = CallbackThreads.callbacks();

  /// The same answer, for callbacks of users. Complete as soon as the source is.
  public static <T> AnswerStage<T> of(CompletionStage<T> source) {
    return source instanceof AnswerStage<T> own ? own : following(new AnswerStage<>(), source);
  }

  /// The same, for many users: none of them can complete it.
  public static <T> AnswerStage<T> shared(CompletionStage<T> source) {
    return following(new SharedStage<>(), source);
  }

  private static <T> AnswerStage<T> following(AnswerStage<T> stage, CompletionStage<T> source) {
    follow(source, stage::take);
    return stage;
  }

  @Override
  public Executor defaultExecutor() {
    return THREADS;
  }

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new AnswerStage<>();
  }

  /// The stages of the JDK would call back on the thread that completes this one.
  @Override
  public CompletionStage<T> minimalCompletionStage() {
    return shared(this);
  }

  /// What the JDK hangs on it is not run on the thread that completes the stage.
  @Override
  public CompletableFuture<T> toCompletableFuture() {
    return RelayedStage.of(this);
  }

  private static final class SharedStage<T> extends AnswerStage<T> {
    @Override
    public CompletableFuture<T> toCompletableFuture() {
      return copy().toCompletableFuture();
    }
  }
}
