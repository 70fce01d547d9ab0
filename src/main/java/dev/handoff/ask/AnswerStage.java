package dev.handoff.ask;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/// A stage whose callbacks never run on the thread that completes it: each of them is a task of its
/// own for [CallbackThreads#callbacks()], and so is each that follows from one of them. A callback
/// that blocks delays no other one, and no actor.
public final class AnswerStage<T> extends CompletableFuture<T> {

  private static final Executor THREADS = CallbackThreads.callbacks();

  /// The same answer, for callbacks that must not run where it is given.
  public static <T> CompletionStage<T> of(CompletionStage<T> source) {
    var stage = new AnswerStage<T>();
    source.whenComplete(stage::take);
    return stage;
  }

  private void take(T value, Throwable failure) {
    if (failure == null) {
      complete(value);
    } else {
      completeExceptionally(failure);
    }
  }

  @Override
  public Executor defaultExecutor() {
    return THREADS;
  }

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new AnswerStage<>();
  }

  @Override
  public <U> CompletableFuture<U> thenApply(Function<? super T, ? extends U> then) {
    return thenApplyAsync(then, THREADS);
  }

  @Override
  public CompletableFuture<Void> thenAccept(Consumer<? super T> then) {
    return thenAcceptAsync(then, THREADS);
  }

  @Override
  public CompletableFuture<Void> thenRun(Runnable then) {
    return thenRunAsync(then, THREADS);
  }

  @Override
  public <U, V> CompletableFuture<V> thenCombine(
      CompletionStage<? extends U> other, BiFunction<? super T, ? super U, ? extends V> then) {
    return thenCombineAsync(other, then, THREADS);
  }

  @Override
  public <U> CompletableFuture<Void> thenAcceptBoth(
      CompletionStage<? extends U> other, BiConsumer<? super T, ? super U> then) {
    return thenAcceptBothAsync(other, then, THREADS);
  }

  @Override
  public CompletableFuture<Void> runAfterBoth(CompletionStage<?> other, Runnable then) {
    return runAfterBothAsync(other, then, THREADS);
  }

  @Override
  public <U> CompletableFuture<U> applyToEither(
      CompletionStage<? extends T> other, Function<? super T, U> then) {
    return applyToEitherAsync(other, then, THREADS);
  }

  @Override
  public CompletableFuture<Void> acceptEither(
      CompletionStage<? extends T> other, Consumer<? super T> then) {
    return acceptEitherAsync(other, then, THREADS);
  }

  @Override
  public CompletableFuture<Void> runAfterEither(CompletionStage<?> other, Runnable then) {
    return runAfterEitherAsync(other, then, THREADS);
  }

  @Override
  public <U> CompletableFuture<U> thenCompose(
      Function<? super T, ? extends CompletionStage<U>> then) {
    return thenComposeAsync(then, THREADS);
  }

  @Override
  public CompletableFuture<T> whenComplete(BiConsumer<? super T, ? super Throwable> then) {
    return whenCompleteAsync(then, THREADS);
  }

  @Override
  public <U> CompletableFuture<U> handle(BiFunction<? super T, Throwable, ? extends U> then) {
    return handleAsync(then, THREADS);
  }

  @Override
  public CompletableFuture<T> exceptionally(Function<Throwable, ? extends T> then) {
    return exceptionallyAsync(then, THREADS);
  }

  @Override
  public CompletableFuture<T> exceptionallyCompose(
      Function<Throwable, ? extends CompletionStage<T>> then) {
    return exceptionallyComposeAsync(then, THREADS);
  }
}
