package dev.handoff.bench;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Polls a condition every few milliseconds, where no notification exists.
final class PollingWait {

  private static final long BETWEEN_LOOKS = Duration.ofMillis(2).toNanos();
  private static final Duration LONGEST = Duration.ofMinutes(2);

  private PollingWait() {}

  static void until(BooleanSupplier condition) {
    long end = System.nanoTime() + LONGEST.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("not done after " + LONGEST.toSeconds() + " s");
      }
      LockSupport.parkNanos(BETWEEN_LOOKS);
    }
  }
}
