package dev.handoff.dispatch;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// How an attempt stands that waits for children: without a place while it is parked.
///
/// @param round how many waits there have been
/// @param parked whether one is under way
/// @param waiting threads of the attempt whose child has ended, and that wait for a place
record Parking(int round, boolean parked, List<CompletableFuture<Void>> waiting) {

  static final Parking NONE = new Parking(0, false, List.of());

  Parking {
    waiting = List.copyOf(waiting);
  }

  Parking park() {
    return new Parking(round + 1, true, List.of());
  }

  Parking plus(CompletableFuture<Void> thread) {
    var all = new ArrayList<>(waiting);
    all.add(thread);
    return new Parking(round, true, all);
  }

  /// Lets all threads go on.
  Parking goOn() {
    waiting.forEach(thread -> thread.complete(null));
    return new Parking(round, false, List.of());
  }
}
