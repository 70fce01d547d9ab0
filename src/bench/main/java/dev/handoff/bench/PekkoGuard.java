package dev.handoff.bench;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.pattern.CircuitBreaker;

/// Pekko's circuit breaker.
final class PekkoGuard implements BreakerRaces {

  private static final Duration LONG = Duration.ofMinutes(1);
  private static final CompletionStage<String> DONE = CompletableFuture.completedStage("done");
  private static final Executor THREADS = task -> Thread.ofPlatform().daemon().start(task);

  private final ActorSystem system;
  private final CircuitBreaker breaker;

  PekkoGuard(ActorSystem system) {
    this.system = system;
    this.breaker = breaker(3, LONG);
  }

  private CircuitBreaker breaker(int threshold, Duration timeout) {
    return new CircuitBreaker(system.dispatcher(), system.scheduler(), threshold, timeout, SHORT);
  }

  @Override
  public String name() {
    return "Pekko 1.7.0";
  }

  @Override
  public void pair() {
    breaker.callWithCircuitBreakerCS(() -> DONE).toCompletableFuture().join();
  }

  @Override
  public Shown lateSuccess() {
    var guard = breaker(3, LONG);
    var before = new CompletableFuture<String>();
    var call = guard.callWithCircuitBreakerCS(() -> before);
    openAndWait(guard);
    var trial = guard.callWithCircuitBreakerCS(CompletableFuture<String>::new);
    before.complete("late");
    call.toCompletableFuture().join();
    BreakerRaces.require(!trial.toCompletableFuture().isDone());
    return BreakerRaces.lateSuccess(BreakerRaces.until(guard::isClosed));
  }

  @Override
  public Shown hungTrial() {
    var guard = breaker(3, SHORT);
    openAndWait(guard);
    long began = System.nanoTime();
    guard.callWithCircuitBreakerCS(CompletableFuture<String>::new);
    boolean let =
        BreakerRaces.until(
            () ->
                !guard
                    .callWithCircuitBreakerCS(() -> DONE)
                    .handle((value, failure) -> failure)
                    .toCompletableFuture()
                    .thenApply(failure -> failure != null)
                    .join());
    long millis = Duration.ofNanos(System.nanoTime() - began).toMillis();
    return let
        ? BreakerRaces.doesNot(
            "for %d ms: its call timeout, and the time until the next trial".formatted(millis))
        : BreakerRaces.shows("none let through in %d s".formatted(PATIENCE.toSeconds()));
  }

  @Override
  public Shown runsOn() {
    var body = new Blocking();
    var call =
        breaker(3, SHORT)
            .callWithCircuitBreakerCS(() -> CompletableFuture.supplyAsync(body::run, THREADS));
    BreakerRaces.awaitFailure(call.toCompletableFuture());
    return body.seen();
  }

  @Override
  public Shown lostCount(int threads, int failuresEach) {
    var guard = breaker(threads * failuresEach + 1, LONG);
    BreakerRaces.atOnce(threads, () -> fail(guard, failuresEach));
    boolean early = !guard.isClosed();
    fail(guard, 1);
    return BreakerRaces.lostCount(early, guard.isOpen());
  }

  private static void fail(CircuitBreaker guard, int failures) {
    for (int i = 0; i < failures; i++) {
      BreakerRaces.awaitFailure(
          guard
              .callWithCircuitBreakerCS(
                  () ->
                      CompletableFuture.<String>failedStage(new IllegalStateException("no route")))
              .toCompletableFuture());
    }
  }

  private static void openAndWait(CircuitBreaker guard) {
    fail(guard, 3);
    BreakerRaces.require(BreakerRaces.until(guard::isHalfOpen));
  }

  @Override
  public void close() {}
}
