package dev.handoff.dispatch;

import dev.handoff.cancel.Cancellation;
import dev.handoff.cancel.CancellationToken;
import dev.handoff.cancel.CancelledException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;

/// What the threads of an attempt wait for. A cancel ends all of it.
final class Waits {

  private final CancellationToken token;
  private final Set<CompletableFuture<?>> open = ConcurrentHashMap.newKeySet();

  Waits(CancellationToken token) {
    this.token = token;
    token.onCancel(why -> open.forEach(wait -> end(wait, why)));
  }

  /// Waits for a value.
  ///
  /// @throws CancelledException if the attempt is cancelled first
  /// @throws InterruptedException if the thread is interrupted first
  <T> T await(CompletableFuture<T> value) throws InterruptedException {
    open.add(value);
    token.cancellation().ifPresent(why -> end(value, why));
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
}
