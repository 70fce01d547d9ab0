package dev.handoff.ask;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// The answer as a `CompletableFuture`, for combinators of the JDK: `CompletableFuture.allOf`, or a
/// `thenCompose` that leads to an answer. The JDK completes its own stages on the thread that
/// completes the ones that they combine, and runs callbacks of users there. So this one is
/// completed by a thread that is used for nothing else, and not by that of an actor.
///
/// `join` and the like look at the answer itself, and need no thread.
final class RelayedStage<T> extends AnswerStage<T> {

  private static final Executor THREADS = CallbackThreads.relays();

  private final CompletableFuture<T> answer;

  private RelayedStage(CompletableFuture<T> answer) {
    this.answer = answer;
  }

  /// @param answer whose own dependents may be run by an actor
  static <T> CompletableFuture<T> of(PooledStage<T> answer) {
    if (answer.isDone()) {
      return answer;
    }
    var relayed = new RelayedStage<T>(answer);
    follow(answer, (value, failure) -> THREADS.execute(() -> relayed.takeAnswer(value, failure)));
    return relayed;
  }

  private void takeAnswer(T value, Throwable failure) {
    if (failure == null) {
      super.complete(value);
    } else {
      super.completeExceptionally(failure);
    }
  }

  @Override
  public CompletableFuture<T> toCompletableFuture() {
    return this;
  }

  @Override
  public boolean complete(T value) {
    return answer.complete(value);
  }

  @Override
  public boolean completeExceptionally(Throwable failure) {
    return answer.completeExceptionally(failure);
  }

  @Override
  public boolean cancel(boolean mayInterrupt) {
    return answer.cancel(mayInterrupt);
  }

  @Override
  public T join() {
    return answer.join();
  }

  @Override
  public T get() throws InterruptedException, ExecutionException {
    return answer.get();
  }

  @Override
  public T get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    return answer.get(timeout, unit);
  }

  @Override
  public T getNow(T orElse) {
    return answer.getNow(orElse);
  }

  @Override
  public T resultNow() {
    return answer.resultNow();
  }

  @Override
  public Throwable exceptionNow() {
    return answer.exceptionNow();
  }

  @Override
  public State state() {
    return answer.state();
  }

  @Override
  public boolean isDone() {
    return answer.isDone();
  }

  @Override
  public boolean isCancelled() {
    return answer.isCancelled();
  }

  @Override
  public boolean isCompletedExceptionally() {
    return answer.isCompletedExceptionally();
  }
}
