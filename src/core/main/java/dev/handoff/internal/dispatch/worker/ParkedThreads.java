package dev.handoff.internal.dispatch.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Waits of an attempt for children. A parked attempt has no place.
///
/// @param round number of waits so far
/// @param parked whether the attempt is parked now
/// @param waiting threads of the attempt whose child has ended and that wait for a place
record ParkedThreads(int round, boolean parked, List<CompletableFuture<Void>> waiting) {

  static final ParkedThreads NONE = new ParkedThreads(0, false, List.of());

  ParkedThreads {
    waiting = List.copyOf(waiting);
  }

  ParkedThreads park() {
    return new ParkedThreads(round + 1, true, List.of());
  }

  ParkedThreads plus(CompletableFuture<Void> thread) {
    var all = new ArrayList<>(waiting);
    all.add(thread);
    return new ParkedThreads(round, true, all);
  }

  /// Releases all waiting threads.
  ParkedThreads goOn() {
    waiting.forEach(thread -> thread.complete(null));
    return new ParkedThreads(round, false, List.of());
  }
}
