package dev.handoff.plan;

import java.time.Duration;
import java.time.Instant;

/// The deadline of a plan that runs, by a clock that nobody sets: neither is a plan stopped because
/// the time of day was set forward, nor does it run longer because that was set back.
///
/// Only a start has to read the time of day, to see how much was used before: what is left is all
/// of it at most, and [#GRACE] at least, for whether a clock was set while no engine ran cannot be
/// told from a long night.
///
/// @param since when the plan began to run, as it is stored
/// @param dueNanos when its time is over
record PlanDeadline(Instant since, long dueNanos) {

  static final Duration GRACE = Duration.ofMinutes(1);

  /// @param whole how long the plan may take
  /// @param now the time of day
  /// @param nanos the same moment by the clock that nobody sets
  static PlanDeadline of(Instant since, Duration whole, Instant now, long nanos) {
    var least = whole.compareTo(GRACE) < 0 ? whole : GRACE;
    var left = whole.minus(Duration.between(since, now));
    if (left.compareTo(whole) > 0) {
      left = whole;
    } else if (left.compareTo(least) < 0) {
      left = least;
    }
    return new PlanDeadline(since, nanos + left.toNanos());
  }

  /// What is left; zero if its time is over.
  Duration left(long nanos) {
    return Duration.ofNanos(Math.max(0, dueNanos - nanos));
  }
}
