package dev.handoff.internal.breaker;

import dev.handoff.breaker.BreakerStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Drives a breaker's state step by step.
final class BreakerDriver {

  BreakerState state;
  Instant now = BreakerRules.START;
  final List<BreakerState.Granted> permits = new ArrayList<>();

  BreakerDriver(String own) {
    state = BreakerRules.fresh(own);
  }

  BreakerState.Verdict acquire() {
    var acquired = state.acquire(now, BreakerRules.MIDDLE);
    state = acquired.next();
    if (acquired.verdict() instanceof BreakerState.Granted granted) {
      permits.add(granted);
    }
    return acquired.verdict();
  }

  BreakerState.Granted permit() {
    return (BreakerState.Granted) acquire();
  }

  Breaker.Heard report(BreakerState.Granted permit, CallResult result) {
    var reported =
        state.report(permit.generation(), permit.number(), result, now, BreakerRules.MIDDLE);
    state = reported.next();
    return reported.heard();
  }

  Breaker.Heard succeed(BreakerState.Granted permit) {
    return report(permit, new CallResult.Success(BreakerRules.TOOK));
  }

  Breaker.Heard fail(BreakerState.Granted permit) {
    return report(permit, new CallResult.Failure(BreakerRules.ERROR, BreakerRules.TOOK));
  }

  Breaker.Heard release(BreakerState.Granted permit) {
    return report(permit, new CallResult.Nothing());
  }

  /// Makes this number of sequential calls fail.
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
    state = state.steer(order, now, BreakerRules.MIDDLE);
  }

  void pass(Duration time) {
    now = now.plus(time);
    state = state.at(now, BreakerRules.MIDDLE);
  }

  /// Makes three calls fail, and lets the open time pass.
  void becomeHalfOpen() {
    failures(3);
    pass(Duration.ofSeconds(30));
  }

  BreakerStatus status() {
    return state.status();
  }
}
