package dev.handoff.context.breaker;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// What a breaker is doing.
sealed interface Phase {

  BreakerStatus status();

  /// Clocks are set back. By a little: then it takes that much longer, and at most twice as long.
  /// By more: then it is over.
  private static boolean isOver(Instant since, Instant until, Instant now) {
    return !now.isBefore(until) || now.isBefore(since.minus(Duration.between(since, until)));
  }

  /// Lets everything through.
  record Closed() implements Phase {
    @Override
    public BreakerStatus status() {
      return BreakerStatus.CLOSED;
    }
  }

  /// Lets nothing through for a while.
  ///
  /// @param times how often it has opened since it was closed
  record Open(Instant since, Instant until, int times) implements Phase {
    @Override
    public BreakerStatus status() {
      return BreakerStatus.OPEN;
    }

    boolean isOver(Instant now) {
      return Phase.isOver(since, until, now);
    }
  }

  /// Lets a few calls through, to see.
  ///
  /// @param succeeded how many of them have
  /// @param trials those that are under way, by deadline
  record HalfOpen(int times, int succeeded, List<Trial> trials) implements Phase {
    public HalfOpen {
      trials = List.copyOf(trials);
    }

    @Override
    public BreakerStatus status() {
      return BreakerStatus.HALF_OPEN;
    }
  }

  /// A call that is tried.
  record Trial(long permit, Instant given, Duration deadline) {
    Instant until() {
      return given.plus(deadline);
    }

    boolean isOver(Instant now) {
      return Phase.isOver(given, until(), now);
    }
  }

  /// Lets nothing through until it is told otherwise.
  record ForcedOpen() implements Phase {
    @Override
    public BreakerStatus status() {
      return BreakerStatus.FORCED_OPEN;
    }
  }

  /// Lets everything through until it is told otherwise.
  record Disabled() implements Phase {
    @Override
    public BreakerStatus status() {
      return BreakerStatus.DISABLED;
    }
  }
}
