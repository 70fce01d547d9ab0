package dev.handoff.bench;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// The breaker of resilience4j.
final class ResilienceGuard implements Guard {

  private final CircuitBreaker breaker = breaker(3);

  private static CircuitBreaker breaker(int threshold) {
    return CircuitBreaker.of(
        "bench",
        CircuitBreakerConfig.custom()
            .slidingWindowSize(threshold)
            .minimumNumberOfCalls(threshold)
            .failureRateThreshold(100)
            .permittedNumberOfCallsInHalfOpenState(1)
            .waitDurationInOpenState(SHORT)
            .build());
  }

  @Override
  public String name() {
    return "resilience4j 2.4.0";
  }

  @Override
  public void pair() {
    if (!breaker.tryAcquirePermission()) {
      throw new IllegalStateException("not let through");
    }
    breaker.onSuccess(1_000, TimeUnit.NANOSECONDS);
  }

  @Override
  public Shown lateSuccess() {
    var guard = breaker(3);
    Guard.require(guard.tryAcquirePermission()); // the call from before
    open(guard, 3);
    becomeHalfOpen(guard);
    Guard.require(guard.tryAcquirePermission()); // the trial
    guard.onSuccess(1, TimeUnit.SECONDS); // of the call from before
    return Guard.lateSuccess(guard.getState() == CircuitBreaker.State.CLOSED);
  }

  @Override
  public Shown hungTrial() {
    var guard = breaker(3);
    open(guard, 3);
    becomeHalfOpen(guard);
    Guard.require(guard.tryAcquirePermission());
    boolean let = Guard.until(guard::tryAcquirePermission);
    return let
        ? Guard.doesNot("lets another one through")
        : Guard.shows(
            "for ever, with its defaults (none let through in %d s)"
                .formatted(PATIENCE.toSeconds()));
  }

  @Override
  public Shown runsOn() {
    var body = new Blocking();
    var call =
        breaker(3)
            .executeCompletionStage(
                () ->
                    CompletableFuture.supplyAsync(
                            body::run, task -> Thread.ofPlatform().daemon().start(task))
                        .orTimeout(SHORT.toMillis(), TimeUnit.MILLISECONDS));
    Guard.awaitFailure(call.toCompletableFuture());
    var seen = body.seen();
    return seen.shown()
        ? Guard.shows("it has no deadline of its own; orTimeout stops nothing")
        : seen;
  }

  @Override
  public Shown lostCount(int threads, int failuresEach) {
    var guard = breaker(threads * failuresEach + 1);
    Guard.atOnce(threads, () -> open(guard, failuresEach));
    boolean early = guard.getState() != CircuitBreaker.State.CLOSED;
    open(guard, 1);
    return Guard.lostCount(early, guard.getState() == CircuitBreaker.State.OPEN);
  }

  private static void open(CircuitBreaker guard, int failures) {
    for (int i = 0; i < failures; i++) {
      Guard.require(guard.tryAcquirePermission());
      guard.onError(1, TimeUnit.MICROSECONDS, new IllegalStateException("no route"));
    }
  }

  private static void becomeHalfOpen(CircuitBreaker guard) {
    Guard.require(guard.getState() == CircuitBreaker.State.OPEN);
    guard.transitionToHalfOpenState();
  }

  @Override
  public void close() {}
}
