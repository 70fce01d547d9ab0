package dev.handoff.context.breaker;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// A breaker's state that is told one thing after the other, as a test says.
final class Driver {

  BreakerState state;
  Instant now = Rules.START;
  final List<BreakerState.Granted> permits = new ArrayList<>();

  Driver(String own) {
    state = Rules.fresh(own);
  }

  BreakerState.Verdict acquire() {
    var acquired = state.acquire(now, Rules.MIDDLE);
    state = acquired.next();
    if (acquired.verdict() instanceof BreakerState.Granted granted) {
      permits.add(granted);
    }
    return acquired.verdict();
  }

  BreakerState.Granted permit() {
    return (BreakerState.Granted) acquire();
  }

  Breaker.Heard report(BreakerState.Granted permit, Result result) {
    var reported = state.report(permit.generation(), permit.number(), result, now, Rules.MIDDLE);
    state = reported.next();
    return reported.heard();
  }

  Breaker.Heard succeed(BreakerState.Granted permit) {
    return report(permit, new Result.Success(Rules.TOOK));
  }

  Breaker.Heard fail(BreakerState.Granted permit) {
    return report(permit, new Result.Failure(Rules.ERROR, Rules.TOOK));
  }

  Breaker.Heard release(BreakerState.Granted permit) {
    return report(permit, new Result.Nothing());
  }

  /// So many calls that fail, one after the other.
  void failures(int count) {
    for (int i = 0; i < count; i++) {
      fail(permit());
    }
  }

  void successes(int count) {
    for (int i = 0; i < count; i++) {
      succeed(permit());
    }
  }

  void steer(Breaker.Order order) {
    state = state.steer(order, now, Rules.MIDDLE);
  }

  void pass(Duration time) {
    now = now.plus(time);
    state = state.at(now, Rules.MIDDLE);
  }

  /// Three failures, and its time is over.
  void becomeHalfOpen() {
    failures(3);
    pass(Duration.ofSeconds(30));
  }

  BreakerStatus status() {
    return state.status();
  }
}
