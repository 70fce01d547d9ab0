package dev.handoff.bench;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// resilience4j's circuit breaker.
final class ResilienceGuard implements BreakerRaces {

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
    BreakerRaces.require(guard.tryAcquirePermission()); // call before the opening
    open(guard, 3);
    becomeHalfOpen(guard);
    BreakerRaces.require(guard.tryAcquirePermission()); // trial
    guard.onSuccess(1, TimeUnit.SECONDS); // report of the earlier call
    return BreakerRaces.lateSuccess(guard.getState() == CircuitBreaker.State.CLOSED);
  }

  @Override
  public Shown hungTrial() {
    var guard = breaker(3);
    open(guard, 3);
    becomeHalfOpen(guard);
    BreakerRaces.require(guard.tryAcquirePermission());
    boolean let = BreakerRaces.until(guard::tryAcquirePermission);
    return let
        ? BreakerRaces.doesNot("lets another one through")
        : BreakerRaces.shows(
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
    BreakerRaces.awaitFailure(call.toCompletableFuture());
    var seen = body.seen();
    return seen.shown()
        ? BreakerRaces.shows("it has no deadline of its own; orTimeout stops nothing")
        : seen;
  }

  @Override
  public Shown lostCount(int threads, int failuresEach) {
    var guard = breaker(threads * failuresEach + 1);
    BreakerRaces.atOnce(threads, () -> open(guard, failuresEach));
    boolean early = guard.getState() != CircuitBreaker.State.CLOSED;
    open(guard, 1);
    return BreakerRaces.lostCount(early, guard.getState() == CircuitBreaker.State.OPEN);
  }

  private static void open(CircuitBreaker guard, int failures) {
    for (int i = 0; i < failures; i++) {
      BreakerRaces.require(guard.tryAcquirePermission());
      guard.onError(1, TimeUnit.MICROSECONDS, new IllegalStateException("no route"));
    }
  }

  private static void becomeHalfOpen(CircuitBreaker guard) {
    BreakerRaces.require(guard.getState() == CircuitBreaker.State.OPEN);
    guard.transitionToHalfOpenState();
  }

  @Override
  public void close() {}
}
