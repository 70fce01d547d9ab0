package dev.handoff;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.handoff.internal.text.DurationWords;
import java.time.Duration;
import java.util.random.RandomGenerator;

/// Delay between a failed attempt and the next one.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Backoff.None.class, name = "none"),
  @JsonSubTypes.Type(value = Backoff.Fixed.class, name = "fixed"),
  @JsonSubTypes.Type(value = Backoff.Exponential.class, name = "exponential")
})
public sealed interface Backoff {

  /// 1 s, doubled after each failure, at most 5 min, jitter 20 %.
  Backoff DEFAULT = new Exponential(Duration.ofSeconds(1), 2.0, Duration.ofMinutes(5), 0.2);

  /// Returns the delay after the given number of failed starts (1 = the first start failed).
  Duration after(int failures, RandomGenerator random);

  /// Backoff without delay: the next attempt is due immediately.
  static Backoff none() {
    return new None();
  }

  /// Backoff with a constant delay.
  static Backoff fixed(Duration delay) {
    return new Fixed(delay);
  }

  /// Backoff whose delay grows by a factor, varies by up to `jitter` of itself in both directions,
  /// and never exceeds `max`.
  static Backoff exponential(Duration first, double factor, Duration max, double jitter) {
    return new Exponential(first, factor, max, jitter);
  }

  record None() implements Backoff {
    @Override
    public Duration after(int failures, RandomGenerator random) {
      return Duration.ZERO;
    }
  }

  record Fixed(Duration delay) implements Backoff {
    public Fixed {
      requireNotNegative("delay", delay);
    }

    @Override
    public Duration after(int failures, RandomGenerator random) {
      return delay;
    }
  }

  record Exponential(Duration first, double factor, Duration max, double jitter)
      implements Backoff {
    public Exponential {
      requireNotNegative("first", first);
      requireNotNegative("max", max);
      if (!(factor >= 1 && factor <= 100)) {
        throw new IllegalArgumentException("backoff factor must be 1 to 100, was " + factor);
      }
      if (!(jitter >= 0 && jitter <= 1)) {
        throw new IllegalArgumentException("backoff jitter must be 0 to 1, was " + jitter);
      }
    }

    @Override
    public Duration after(int failures, RandomGenerator random) {
      double grown = first.toMillis() * Math.pow(factor, Math.max(0, failures - 1));
      double bounded = Math.min(grown, max.toMillis());
      double varied = bounded * (1 + jitter * (2 * random.nextDouble() - 1));
      return Duration.ofMillis(Math.round(Math.min(varied, max.toMillis())));
    }
  }

  private static void requireNotNegative(String name, Duration value) {
    if (value.isNegative() || value.compareTo(Duration.ofDays(366)) > 0) {
      throw new IllegalArgumentException(
          "backoff " + name + " must be 0s to 366d, was " + DurationWords.exact(value));
    }
  }
}
