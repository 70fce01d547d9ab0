package dev.handoff.cli;

import dev.handoff.PlanHandle;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// Applies that a process which was killed has left half done: the next engine finishes them when
/// it starts, and a plan takes nothing else meanwhile.
final class Applies {

  private static final Duration LONGEST = Duration.ofSeconds(10);
  private static final long AGAIN_MILLIS = 100;

  private Applies() {}

  /// Waits until no apply is under way, or for some seconds.
  ///
  /// @return the same plan
  static PlanHandle awaitNone(PlanHandle plan) {
    return awaitNone(plan, LONGEST);
  }

  static PlanHandle awaitNone(PlanHandle plan, Duration longest) {
    long until = System.nanoTime() + longest.toNanos();
    while (isUnderWay(plan) && System.nanoTime() < until) {
      new CompletableFuture<Void>()
          .completeOnTimeout(null, AGAIN_MILLIS, TimeUnit.MILLISECONDS)
          .join();
    }
    return plan;
  }

  private static boolean isUnderWay(PlanHandle plan) {
    return plan.info()
        .toCompletableFuture()
        .join()
        .filter(info -> info.applying().isPresent())
        .isPresent();
  }
}
