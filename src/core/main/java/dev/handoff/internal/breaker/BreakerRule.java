package dev.handoff.internal.breaker;

import dev.handoff.Backoff;
import dev.handoff.internal.text.DurationWords;
import java.time.Duration;
import java.util.random.RandomGenerator;

/// Configuration of one breaker.
///
/// @param failureThreshold number of consecutive failures that opens the breaker
/// @param lostAfter age at which an outstanding permit counts as lost
public record BreakerRule(
    int failureThreshold, Rates rates, Opening opening, Trials trials, Duration lostAfter) {

  public BreakerRule {
    require("failure-threshold", failureThreshold, 1, 1_000_000);
    require("lost-after", lostAfter, 1);
  }

  /// Thresholds for the rates of failed and slow calls.
  ///
  /// @param failures percentage of failed calls; 0 = off
  /// @param slow percentage of slow calls; 0 = off
  /// @param slowAfter duration above which a call is slow
  /// @param window time span of the rates
  /// @param minimumCalls number of calls in the window below which no rate applies
  public record Rates(
      int failures, int slow, Duration slowAfter, Duration window, int minimumCalls) {

    public Rates {
      require("failure-rate", failures, 0, 100);
      require("slow-rate", slow, 0, 100);
      require("slow-after", slowAfter, 1);
      // The window is divided into slices of at least one millisecond.
      require("window", window, CallWindow.SLICES);
      require("minimum-calls", minimumCalls, 1, 1_000_000);
    }

    boolean areOff() {
      return failures == 0 && slow == 0;
    }
  }

  /// Duration of the open state: `first`, then doubled on each reopening without a close between,
  /// up to `most`.
  public record Opening(Duration first, Duration most) {

    private static final double FACTOR = 2;
    private static final double JITTER = 0.2;

    public Opening {
      require("open-for", first, 1);
      if (most.compareTo(first) < 0) {
        throw new IllegalArgumentException(
            "open-for-most must be at least open-for (%s), was %s"
                .formatted(DurationWords.exact(first), DurationWords.exact(most)));
      }
    }

    Duration after(int times, RandomGenerator random) {
      return Backoff.exponential(first, FACTOR, most, JITTER).after(times, random);
    }
  }

  /// @param calls number of half-open trials; all must succeed
  /// @param deadline time limit per trial
  public record Trials(int calls, Duration deadline) {
    public Trials {
      require("trial-calls", calls, 1, 1_000);
      require("trial-deadline", deadline, 1);
    }
  }

  /// Whether a call of this duration is slow.
  boolean isSlow(Duration took) {
    return took.compareTo(rates.slowAfter()) > 0;
  }

  private static void require(String key, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "%s must be %d to %d, was %d".formatted(key, least, most, value));
    }
  }

  private static void require(String key, Duration value, int leastMillis) {
    if (value.compareTo(Duration.ofMillis(leastMillis)) < 0
        || value.compareTo(BreakerSettings.LONGEST) > 0) {
      throw new IllegalArgumentException(
          "%s must be %dms to %s, was %s"
              .formatted(
                  key,
                  leastMillis,
                  DurationWords.exact(BreakerSettings.LONGEST),
                  DurationWords.exact(value)));
    }
  }
}
