package dev.handoff.handlers;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/// So many of something at once; whoever comes later waits in line, and can leave it. Waiting is a
/// future, so that a cancel can be waited for beside it.
final class Slots {

  private final Queue<CompletableFuture<Void>> line = new ConcurrentLinkedQueue<>();
  private final AtomicInteger free;

  Slots(int count) {
    free = new AtomicInteger(count);
  }

  /// Completes when it is the caller's turn. The slot is then the caller's until [#give] or
  /// [#leave].
  CompletableFuture<Void> take() {
    var turn = new CompletableFuture<Void>();
    line.add(turn);
    serve();
    return turn;
  }

  /// Gives a slot back that was taken.
  void give() {
    free.incrementAndGet();
    serve();
  }

  /// Ends a wait or a turn, whichever it is by now.
  void leave(CompletableFuture<Void> turn) {
    if (!turn.cancel(false)) {
      give();
    }
  }

  /// Whoever finds a free slot and a waiting one brings them together; looks again after each step,
  /// because both may have come while it looked.
  private void serve() {
    while (!line.isEmpty() && free.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
      var next = line.poll();
      if (next == null || !next.complete(null)) {
        free.incrementAndGet();
      }
    }
  }
}
