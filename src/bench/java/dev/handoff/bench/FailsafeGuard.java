package dev.handoff.bench;

import dev.failsafe.CircuitBreaker;
import dev.failsafe.Failsafe;
import dev.failsafe.Timeout;

/// The breaker of Failsafe.
final class FailsafeGuard implements Guard {

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
    Guard.require(guard.tryAcquirePermit()); // the call from before
    fail(guard, 3);
    becomeHalfOpen(guard);
    Guard.require(guard.tryAcquirePermit()); // the trial
    guard.recordSuccess(); // of the call from before
    return Guard.lateSuccess(guard.isClosed());
  }

  @Override
  public Shown hungTrial() {
    var guard = breaker(3);
    fail(guard, 3);
    becomeHalfOpen(guard);
    Guard.require(guard.tryAcquirePermit());
    return Guard.until(guard::tryAcquirePermit)
        ? Guard.doesNot("lets another one through")
        : Guard.shows("for ever (none let through in %d s)".formatted(PATIENCE.toSeconds()));
  }

  @Override
  public Shown runsOn() {
    var body = new Blocking();
    var timeout = Timeout.<String>builder(SHORT).build();
    var call = Failsafe.with(breaker(3)).compose(timeout).getAsync(body::run);
    boolean told = Guard.until(call::isDone);
    var seen = body.seen();
    var words = told ? "" : "and its caller waits for it, ";
    return seen.shown() ? Guard.shows(words + "unless it is asked for withInterrupt()") : seen;
  }

  @Override
  public Shown lostCount(int threads, int failuresEach) {
    var guard = breaker(threads * failuresEach + 1);
    Guard.atOnce(threads, () -> fail(guard, failuresEach));
    boolean early = !guard.isClosed();
    fail(guard, 1);
    return Guard.lostCount(early, guard.isOpen());
  }

  private static void fail(CircuitBreaker<String> guard, int failures) {
    for (int i = 0; i < failures; i++) {
      Guard.require(guard.tryAcquirePermit());
      guard.recordFailure();
    }
  }

  private static void becomeHalfOpen(CircuitBreaker<String> guard) {
    Guard.require(guard.isOpen());
    guard.halfOpen();
  }

  @Override
  public void close() {}
}
