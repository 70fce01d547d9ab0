package dev.handoff.internal.breaker;

import dev.handoff.breaker.BreakerInfo;

/// Counters of a breaker and their steps. The components are those of [BreakerInfo.Counts].
record CallCounts(
    long calls,
    long successes,
    long failures,
    long slow,
    long rejected,
    long released,
    long lost,
    long late,
    long consecutive) {

  static final CallCounts NONE = new CallCounts(0, 0, 0, 0, 0, 0, 0, 0, 0);

  CallCounts called() {
    return new CallCounts(
        calls + 1, successes, failures, slow, rejected, released, lost, late, consecutive);
  }

  CallCounts denied() {
    return new CallCounts(
        calls, successes, failures, slow, rejected + 1, released, lost, late, consecutive);
  }

  CallCounts succeeded(boolean wasSlow) {
    long plus = wasSlow ? 1 : 0;
    return new CallCounts(
        calls, successes + 1, failures, slow + plus, rejected, released, lost, late, consecutive);
  }

  CallCounts failed(boolean wasSlow) {
    long plus = wasSlow ? 1 : 0;
    return new CallCounts(
        calls, successes, failures + 1, slow + plus, rejected, released, lost, late, consecutive);
  }

  CallCounts wereReleased() {
    return new CallCounts(
        calls, successes, failures, slow, rejected, released + 1, lost, late, consecutive);
  }

  CallCounts wereLost(long more) {
    return new CallCounts(
        calls, successes, failures, slow, rejected, released, lost + more, late, consecutive);
  }

  CallCounts wereLate() {
    return new CallCounts(
        calls, successes, failures, slow, rejected, released, lost, late + 1, consecutive);
  }

  CallCounts inARow(long failed) {
    return new CallCounts(calls, successes, failures, slow, rejected, released, lost, late, failed);
  }

  BreakerInfo.Counts info() {
    return new BreakerInfo.Counts(
        calls, successes, failures, slow, rejected, released, lost, late, consecutive);
  }
}
