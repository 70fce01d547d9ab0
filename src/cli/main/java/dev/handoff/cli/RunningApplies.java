package dev.handoff.cli;

import dev.handoff.internal.ask.ThreadPause;
import dev.handoff.plan.PlanHandle;
import java.time.Duration;

/// Unfinished applies of a killed process. The next engine completes them or rolls them back at
/// start; the plan rejects other commands meanwhile.
final class RunningApplies {

  private static final Duration LONGEST = Duration.ofSeconds(10);
  private static final Duration AGAIN = Duration.ofMillis(100);

  private RunningApplies() {}

  /// Waits until no apply is running, with a time limit.
  ///
  /// @return the given plan
  static PlanHandle awaitNone(PlanHandle plan) {
    return awaitNone(plan, LONGEST);
  }

  static PlanHandle awaitNone(PlanHandle plan, Duration longest) {
    long until = System.nanoTime() + longest.toNanos();
    while (isUnderWay(plan) && System.nanoTime() < until) {
      ThreadPause.awaitAll(AGAIN);
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
