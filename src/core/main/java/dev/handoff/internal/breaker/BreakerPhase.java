package dev.handoff.internal.breaker;

import dev.handoff.breaker.BreakerStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Phase of a breaker's state machine, with its time limits.
sealed interface BreakerPhase {

  BreakerStatus status();

  /// Tolerates a clock that is set back. A small step extends the time span, at most to twice its
  /// length. A larger step ends it immediately.
  private static boolean isOver(Instant since, Instant until, Instant now) {
    return !now.isBefore(until) || now.isBefore(since.minus(Duration.between(since, until)));
  }

  /// Permits all calls.
  record Closed() implements BreakerPhase {
    @Override
    public BreakerStatus status() {
      return BreakerStatus.CLOSED;
    }
  }

  /// Rejects all calls for a limited time.
  ///
  /// @param times number of openings since the last close
  record Open(Instant since, Instant until, int times) implements BreakerPhase {
    @Override
    public BreakerStatus status() {
      return BreakerStatus.OPEN;
    }

    boolean isOver(Instant now) {
      return BreakerPhase.isOver(since, until, now);
    }
  }

  /// Permits a few trial calls.
  ///
  /// @param succeeded number of successful trials
  /// @param trials running trials, by deadline
  record HalfOpen(int times, int succeeded, List<Trial> trials) implements BreakerPhase {
    public HalfOpen {
      trials = List.copyOf(trials);
    }

    @Override
    public BreakerStatus status() {
      return BreakerStatus.HALF_OPEN;
    }
  }

  /// A running trial call.
  record Trial(long permit, Instant given, Duration deadline) {
    Instant until() {
      return given.plus(deadline);
    }

    boolean isOver(Instant now) {
      return BreakerPhase.isOver(given, until(), now);
    }
  }

  /// Rejects all calls until an operator's order.
  record ForcedOpen() implements BreakerPhase {
    @Override
    public BreakerStatus status() {
      return BreakerStatus.FORCED_OPEN;
    }
  }

  /// Permits all calls until an operator's order.
  record Disabled() implements BreakerPhase {
    @Override
    public BreakerStatus status() {
      return BreakerStatus.DISABLED;
    }
  }
}
