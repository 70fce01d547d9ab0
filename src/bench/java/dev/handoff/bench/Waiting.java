package dev.handoff.bench;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Waits for what nobody tells: looks every few milliseconds.
final class Waiting {

  private static final long BETWEEN_LOOKS = Duration.ofMillis(2).toNanos();
  private static final Duration LONGEST = Duration.ofMinutes(2);

  private Waiting() {}

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
