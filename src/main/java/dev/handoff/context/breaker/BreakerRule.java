package dev.handoff.context.breaker;

import dev.handoff.actor.DurationWords;
import dev.handoff.job.Backoff;
import java.time.Duration;
import java.util.random.RandomGenerator;

/// What one breaker goes by.
///
/// @param failureThreshold so many failures in a row open it
/// @param lostAfter how long a permit may stay out before it is taken for lost
public record BreakerRule(
    int failureThreshold, Rates rates, Opening opening, Trials trials, Duration lostAfter) {

  public BreakerRule {
    require("failure-threshold", failureThreshold, 1, 1_000_000);
    require("lost-after", lostAfter, 1);
  }

  /// How much of what was called lately may fail, or be slow.
  ///
  /// @param failures percent of calls that failed; 0: no matter
  /// @param slow percent of calls that were slow; 0: no matter
  /// @param slowAfter a call that takes longer is slow
  /// @param window how long a call is looked back at
  /// @param minimumCalls with fewer calls in the window there is no rate
  public record Rates(
      int failures, int slow, Duration slowAfter, Duration window, int minimumCalls) {

    public Rates {
      require("failure-rate", failures, 0, 100);
      require("slow-rate", slow, 0, 100);
      require("slow-after", slowAfter, 1);
      // The window is kept in slices.
      require("window", window, Window.SLICES);
      require("minimum-calls", minimumCalls, 1, 1_000_000);
    }

    boolean areOff() {
      return failures == 0 && slow == 0;
    }
  }

  /// How long it stays open: the first time, and at most, doubled each time that it opens again
  /// without having been closed.
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

  /// @param calls how many calls are tried when it is half open; all of them have to succeed
  /// @param deadline how long one of them may take
  public record Trials(int calls, Duration deadline) {
    public Trials {
      require("trial-calls", calls, 1, 1_000);
      require("trial-deadline", deadline, 1);
    }
  }

  /// Whether a call of that length is slow.
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
