package dev.handoff.testing;

import java.util.Random;

/// Reproducible random runs: a failure names its seed, and `-Dhandoff.seed=…` runs that seed alone.
public final class RandomSeeds {

  private static final Long ONLY = Long.getLong("handoff.seed");

  private RandomSeeds() {}

  /// Test body with a source of randomness.
  @FunctionalInterface
  public interface Try {
    void with(Random random) throws Exception;
  }

  /// Runs the body once for each seed from 1 to `count`.
  public static void each(int count, Try attempt) {
    long first = ONLY == null ? 1 : ONLY;
    long last = ONLY == null ? count : ONLY;
    for (long seed = first; seed <= last; seed++) {
      try {
        attempt.with(new Random(seed));
      } catch (Throwable failure) {
        throw new AssertionError("with seed " + seed + ": " + failure.getMessage(), failure);
      }
    }
  }
}
