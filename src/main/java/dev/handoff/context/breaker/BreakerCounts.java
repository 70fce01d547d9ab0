package dev.handoff.context.breaker;

/// What a breaker has counted since it was made. Exact: every permit is in exactly one of
/// `successes`, `failures`, `released` and `lost`, or still out; together they are `calls`.
///
/// @param calls permits that were given
/// @param slow calls that took longer than `slow-after`, however they ended
/// @param rejected questions for a permit that were refused
/// @param released calls that were cancelled or never made
/// @param lost permits that nobody reported
/// @param late reports that came too late to change anything: of a former generation, or of a
///   permit that had been reported or given up
/// @param consecutive failures in a row, now
public record BreakerCounts(
    long calls,
    long successes,
    long failures,
    long slow,
    long rejected,
    long released,
    long lost,
    long late,
    long consecutive) {

  static final BreakerCounts NONE = new BreakerCounts(0, 0, 0, 0, 0, 0, 0, 0, 0);

  BreakerCounts called() {
    return new BreakerCounts(
        calls + 1, successes, failures, slow, rejected, released, lost, late, consecutive);
  }

  BreakerCounts denied() {
    return new BreakerCounts(
        calls, successes, failures, slow, rejected + 1, released, lost, late, consecutive);
  }

  BreakerCounts succeeded(boolean wasSlow) {
    long plus = wasSlow ? 1 : 0;
    return new BreakerCounts(
        calls, successes + 1, failures, slow + plus, rejected, released, lost, late, consecutive);
  }

  BreakerCounts failed(boolean wasSlow) {
    long plus = wasSlow ? 1 : 0;
    return new BreakerCounts(
        calls, successes, failures + 1, slow + plus, rejected, released, lost, late, consecutive);
  }

  BreakerCounts wereReleased() {
    return new BreakerCounts(
        calls, successes, failures, slow, rejected, released + 1, lost, late, consecutive);
  }

  BreakerCounts wereLost(long more) {
    return new BreakerCounts(
        calls, successes, failures, slow, rejected, released, lost + more, late, consecutive);
  }

  BreakerCounts wereLate() {
    return new BreakerCounts(
        calls, successes, failures, slow, rejected, released, lost, late + 1, consecutive);
  }

  BreakerCounts inARow(long failed) {
    return new BreakerCounts(
        calls, successes, failures, slow, rejected, released, lost, late, failed);
  }
}
