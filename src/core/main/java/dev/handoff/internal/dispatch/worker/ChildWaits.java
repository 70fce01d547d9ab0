package dev.handoff.internal.dispatch.worker;

import dev.handoff.cancel.Cancellation;
import dev.handoff.cancel.CancellationToken;
import dev.handoff.cancel.CancelledException;
import dev.handoff.internal.ask.CallbackThreads;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;

/// Blocking waits of an attempt's threads. A cancel or the handler's end aborts all of them: nobody
/// needs their results then.
final class ChildWaits {

  private final CancellationToken token;
  private final Set<CompletableFuture<?>> open = ConcurrentHashMap.newKeySet();
  private final CompletableFuture<Void> over = new CompletableFuture<>();

  ChildWaits(CancellationToken token) {
    this.token = token;
    token.onCancelUntil(
        over, CallbackThreads.answers(), why -> open.forEach(wait -> end(wait, why)));
  }

  /// Aborts all waits after the handler's end.
  void close() {
    over.complete(null);
    open.forEach(ChildWaits::end);
  }

  /// Waits for a value.
  ///
  /// @throws CancelledException if the attempt is cancelled first
  /// @throws IllegalStateException if the handler ends first
  /// @throws InterruptedException if the thread is interrupted first
  <T> T await(CompletableFuture<T> value) throws InterruptedException {
    open.add(value);
    token.cancellation().ifPresent(why -> end(value, why));
    if (over.isDone()) {
      end(value);
    }
    try {
      return value.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException failure
          ? failure
          : new IllegalStateException(e.getCause());
    } finally {
      open.remove(value);
    }
  }

  private static void end(CompletableFuture<?> wait, Cancellation why) {
    wait.completeExceptionally(new CancelledException(why));
  }

  private static void end(CompletableFuture<?> wait) {
    wait.completeExceptionally(
        new IllegalStateException("the handler has ended: its attempt waits for nothing any more"));
  }
}
