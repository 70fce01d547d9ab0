package dev.handoff.handlers;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/// Fair semaphore whose waiters are futures, so that a handler can wait for a slot and a cancel at
/// the same time. A waiter can leave the queue.
final class FairSemaphore {

  private final Queue<CompletableFuture<Void>> line = new ConcurrentLinkedQueue<>();
  private final AtomicInteger free;

  FairSemaphore(int count) {
    free = new AtomicInteger(count);
  }

  /// Requests a slot. The future completes when the caller owns a slot; [#give] or [#leave]
  /// releases it.
  CompletableFuture<Void> take() {
    var turn = new CompletableFuture<Void>();
    line.add(turn);
    serve();
    return turn;
  }

  /// Releases a slot.
  void give() {
    free.incrementAndGet();
    serve();
  }

  /// Cancels a wait, or releases the slot if the wait has already ended.
  void leave(CompletableFuture<Void> turn) {
    if (!turn.cancel(false)) {
      give();
    }
  }

  /// Assigns free slots to waiters. The loop repeats after each step, because a slot and a waiter
  /// may both arrive during the check.
  private void serve() {
    while (!line.isEmpty() && free.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
      var next = line.poll();
      if (next == null || !next.complete(null)) {
        free.incrementAndGet();
      }
    }
  }
}
