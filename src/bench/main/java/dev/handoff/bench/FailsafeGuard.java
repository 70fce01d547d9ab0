package dev.handoff.bench;

import dev.failsafe.CircuitBreaker;
import dev.failsafe.Failsafe;
import dev.failsafe.Timeout;

/// Failsafe's circuit breaker.
final class FailsafeGuard implements BreakerRaces {

  private final CircuitBreaker<String> breaker = breaker(3);

  private static CircuitBreaker<String> breaker(int threshold) {
    return CircuitBreaker.<String>builder()
        .withFailureThreshold(threshold)
        .withSuccessThreshold(1)
        .withDelay(SHORT)
        .build();
  }

  @Override
  public String name() {
    return "Failsafe 3.3.2";
  }

  @Override
  public void pair() {
    if (!breaker.tryAcquirePermit()) {
      throw new IllegalStateException("not let through");
    }
    breaker.recordSuccess();
  }

  @Override
  public Shown lateSuccess() {
    var guard = breaker(3);
    BreakerRaces.require(guard.tryAcquirePermit()); // call before the opening
    fail(guard, 3);
    becomeHalfOpen(guard);
    BreakerRaces.require(guard.tryAcquirePermit()); // trial
    guard.recordSuccess(); // report of the earlier call
    return BreakerRaces.lateSuccess(guard.isClosed());
  }

  @Override
  public Shown hungTrial() {
    var guard = breaker(3);
    fail(guard, 3);
    becomeHalfOpen(guard);
    BreakerRaces.require(guard.tryAcquirePermit());
    return BreakerRaces.until(guard::tryAcquirePermit)
        ? BreakerRaces.doesNot("lets another one through")
        : BreakerRaces.shows("for ever (none let through in %d s)".formatted(PATIENCE.toSeconds()));
  }

  @Override
  public Shown runsOn() {
    var body = new Blocking();
    var timeout = Timeout.<String>builder(SHORT).build();
    var call = Failsafe.with(breaker(3)).compose(timeout).getAsync(body::run);
    boolean told = BreakerRaces.until(call::isDone);
    var seen = body.seen();
    var words = told ? "" : "and its caller waits for it, ";
    return seen.shown()
        ? BreakerRaces.shows(words + "unless it is asked for withInterrupt()")
        : seen;
  }

  @Override
  public Shown lostCount(int threads, int failuresEach) {
    var guard = breaker(threads * failuresEach + 1);
    BreakerRaces.atOnce(threads, () -> fail(guard, failuresEach));
    boolean early = !guard.isClosed();
    fail(guard, 1);
    return BreakerRaces.lostCount(early, guard.isOpen());
  }

  private static void fail(CircuitBreaker<String> guard, int failures) {
    for (int i = 0; i < failures; i++) {
      BreakerRaces.require(guard.tryAcquirePermit());
      guard.recordFailure();
    }
  }

  private static void becomeHalfOpen(CircuitBreaker<String> guard) {
    BreakerRaces.require(guard.isOpen());
    guard.halfOpen();
  }

  @Override
  public void close() {}
}
