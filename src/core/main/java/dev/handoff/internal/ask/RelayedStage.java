package dev.handoff.internal.ask;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Answer as a `CompletableFuture` for JDK combinators, such as `CompletableFuture.allOf` or a
/// `thenCompose` that returns an answer. The JDK completes combined stages, and runs user
/// callbacks, on the thread that completes the source. So a separate relay thread completes this
/// stage, never an actor's thread.
///
/// `join` and similar methods read the answer directly and need no thread.
final class RelayedStage<T> extends AnswerStage<T> {

  private static final Executor THREADS = CallbackThreads.relays();

  private final CompletableFuture<T> answer;

  private RelayedStage(CompletableFuture<T> answer) {
    this.answer = answer;
  }

  /// @param answer source, whose own dependents may run on an actor's thread
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
