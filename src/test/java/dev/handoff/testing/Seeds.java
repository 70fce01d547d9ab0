package dev.handoff.testing;

import java.util.Random;

/// Random tries that can be repeated: one that fails names its seed. `-Dhandoff.seed=…` runs that
/// one alone.
public final class Seeds {

  private static final Long ONLY = Long.getLong("handoff.seed");

  private Seeds() {}

  /// Something to try with a source of chance.
  @FunctionalInterface
  public interface Try {
    void with(Random random) throws Exception;
  }

  /// Tries with that many seeds.
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
