package dev.handoff.internal.ask;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/// Stage for users. Its callbacks are user code and run on [CallbackThreads#callbacks()]: a
/// blocking callback delays neither other callbacks nor an actor. The engine never depends on
/// callbacks of this stage, because all of these threads may be blocked. `join` and `get` need none
/// of these threads.
public non-sealed class AnswerStage<T> extends PooledStage<T> {

  private static final Executor THREADS = CallbackThreads.callbacks();

  /// Stage for users with the same result. It completes at the same time as the source.
  public static <T> AnswerStage<T> of(CompletionStage<T> source) {
    return source instanceof AnswerStage<T> own ? own : following(new AnswerStage<>(), source);
  }

  /// Stage with the same result for many users: none of them can complete it.
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

  /// Read-only view. The JDK's own minimal stages would run callbacks on the completing thread.
  @Override
  public CompletionStage<T> minimalCompletionStage() {
    return shared(this);
  }

  /// `CompletableFuture` for JDK combinators; their callbacks do not run on the completing thread.
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
