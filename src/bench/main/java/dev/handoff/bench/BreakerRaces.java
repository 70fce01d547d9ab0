package dev.handoff.bench;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// A circuit breaker and its behaviour in four race conditions. Each race is staged step by step,
/// so its outcome is reproducible.
interface BreakerRaces extends AutoCloseable {

  /// Time limit of a call and duration of the open state in a race.
  Duration SHORT = Duration.ofMillis(100);

  /// Time limit for an effect expected after [#SHORT].
  Duration PATIENCE = Duration.ofSeconds(2);

  String name();

  /// Requests a permit, waits for the answer and reports a success.
  void pair();

  /// Race: a call from before the opening succeeds during a trial.
  Shown lateSuccess();

  /// Race: a trial never ends.
  Shown hungTrial();

  /// Race: a blocking call exceeds its time limit.
  Shown runsOn();

  /// Race: callers fail concurrently, one time less than the threshold; then one more failure
  /// follows.
  Shown lostCount(int threads, int failuresEach);

  @Override
  void close();

  /// @param shown whether the race occurs
  record Shown(boolean shown, String words) {
    @Override
    public String toString() {
      return (shown ? "SHOWS IT: " : "does not: ") + words;
    }
  }

  static Shown shows(String words) {
    return new Shown(true, words);
  }

  static Shown doesNot(String words) {
    return new Shown(false, words);
  }

  static Shown lateSuccess(boolean closed) {
    return closed
        ? shows("closed, and everybody is let through while its trial still runs")
        : doesNot("waits for its trial");
  }

  static Shown lostCount(boolean early, boolean opened) {
    return early || !opened
        ? shows(early ? "opened too early" : "stayed closed")
        : doesNot("opened with exactly the last one");
  }

  /// Code that blocks until an interrupt or the end of the race.
  final class Blocking {
    private final CountDownLatch over = new CountDownLatch(1);
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);

    String run() {
      begun.countDown();
      try {
        over.await();
      } catch (InterruptedException e) {
        interrupted.countDown();
      }
      return "late";
    }

    /// Outcome of the race; call after the time-out.
    Shown seen() {
      try {
        begun.await();
        boolean stopped = interrupted.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        return stopped ? doesNot("interrupted") : shows("nobody stops it");
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      } finally {
        over.countDown();
      }
    }
  }

  /// Waits for a call that must fail.
  static void awaitFailure(CompletableFuture<?> call) {
    try {
      call.join();
      throw new IllegalStateException("it was to time out");
    } catch (CompletionException timedOut) {
      // Expected.
    }
  }

  /// Whether the condition becomes true within [#PATIENCE].
  static boolean until(BooleanSupplier let) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < end) {
      if (let.getAsBoolean()) {
        return true;
      }
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
    return false;
  }

  static void require(boolean expected) {
    if (!expected) {
      throw new IllegalStateException("the race could not be set up");
    }
  }

  /// Runs a task on several threads simultaneously.
  static void atOnce(int threads, Runnable what) {
    var start = new CountDownLatch(1);
    var running = new Thread[threads];
    for (int i = 0; i < threads; i++) {
      running[i] =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      start.await();
                      what.run();
                    } catch (InterruptedException e) {
                      throw new IllegalStateException(e);
                    }
                  });
    }
    start.countDown();
    for (var thread : running) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
