package dev.handoff.internal.ask;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/// Stage whose callbacks never run on the completing thread. Each callback is a separate task for
/// the stage's executor; so are the callbacks of dependent stages.
abstract sealed class PooledStage<T> extends CompletableFuture<T> permits AnswerStage, EngineStage {

  /// Runs a step on the thread that completes the stage, even if the stage has an executor for its
  /// callbacks.
  ///
  /// @param step short step without user code
  static <T> void follow(CompletionStage<T> stage, BiConsumer<? super T, ? super Throwable> step) {
    if (stage instanceof PooledStage<T> ours) {
      ours.whenDone(step);
    } else {
      stage.whenComplete(step);
    }
  }

  private void whenDone(BiConsumer<? super T, ? super Throwable> step) {
    super.whenComplete(step);
  }

  /// Completes with the result of another stage.
  void take(T value, Throwable failure) {
    if (failure == null) {
      complete(value);
    } else {
      completeExceptionally(failure);
    }
  }

  @Override
  public <U> CompletableFuture<U> thenApply(Function<? super T, ? extends U> then) {
    return thenApplyAsync(then, defaultExecutor());
  }

  @Override
  public CompletableFuture<Void> thenAccept(Consumer<? super T> then) {
    return thenAcceptAsync(then, defaultExecutor());
  }

  @Override
  public CompletableFuture<Void> thenRun(Runnable then) {
    return thenRunAsync(then, defaultExecutor());
  }

  @Override
  public <U, V> CompletableFuture<V> thenCombine(
      CompletionStage<? extends U> other, BiFunction<? super T, ? super U, ? extends V> then) {
    return thenCombineAsync(other, then, defaultExecutor());
  }

  @Override
  public <U> CompletableFuture<Void> thenAcceptBoth(
      CompletionStage<? extends U> other, BiConsumer<? super T, ? super U> then) {
    return thenAcceptBothAsync(other, then, defaultExecutor());
  }

  @Override
  public CompletableFuture<Void> runAfterBoth(CompletionStage<?> other, Runnable then) {
    return runAfterBothAsync(other, then, defaultExecutor());
  }

  @Override
  public <U> CompletableFuture<U> applyToEither(
      CompletionStage<? extends T> other, Function<? super T, U> then) {
    return applyToEitherAsync(other, then, defaultExecutor());
  }

  @Override
  public CompletableFuture<Void> acceptEither(
      CompletionStage<? extends T> other, Consumer<? super T> then) {
    return acceptEitherAsync(other, then, defaultExecutor());
  }

  @Override
  public CompletableFuture<Void> runAfterEither(CompletionStage<?> other, Runnable then) {
    return runAfterEitherAsync(other, then, defaultExecutor());
  }

  @Override
  public <U> CompletableFuture<U> thenCompose(
      Function<? super T, ? extends CompletionStage<U>> then) {
    return thenComposeAsync(then, defaultExecutor());
  }

  @Override
  public CompletableFuture<T> whenComplete(BiConsumer<? super T, ? super Throwable> then) {
    return whenCompleteAsync(then, defaultExecutor());
  }

  @Override
  public <U> CompletableFuture<U> handle(BiFunction<? super T, Throwable, ? extends U> then) {
    return handleAsync(then, defaultExecutor());
  }

  @Override
  public CompletableFuture<T> exceptionally(Function<Throwable, ? extends T> then) {
    return exceptionallyAsync(then, defaultExecutor());
  }

  @Override
  public CompletableFuture<T> exceptionallyCompose(
      Function<Throwable, ? extends CompletionStage<T>> then) {
    return exceptionallyComposeAsync(then, defaultExecutor());
  }
}
