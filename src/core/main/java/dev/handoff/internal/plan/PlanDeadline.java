package dev.handoff.internal.plan;

import java.time.Duration;
import java.time.Instant;

/// Deadline of a running plan, on the monotonic clock. A change of the wall clock neither stops a
/// plan early nor gives it more time.
///
/// Only the start of an engine reads the wall clock, to compute the time already used. The rest is
/// then at most the whole deadline and at least [#GRACE]: a wall clock set while no engine ran
/// looks the same as a long downtime.
///
/// @param since start of the plan's run, as stored
/// @param dueNanos monotonic time of the deadline
record PlanDeadline(Instant since, long dueNanos) {

  static final Duration GRACE = Duration.ofMinutes(1);

  /// @param whole deadline as a duration from the start
  /// @param now current wall-clock time
  /// @param nanos current monotonic time
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

  /// Remaining time; zero after the deadline.
  Duration left(long nanos) {
    return Duration.ofNanos(Math.max(0, dueNanos - nanos));
  }
}
