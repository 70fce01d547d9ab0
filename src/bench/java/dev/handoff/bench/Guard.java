package dev.handoff.bench;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// A circuit breaker, and what happens to it in four races. Each race is set up step by step, so it
/// goes the same way each time.
interface Guard extends AutoCloseable {

  /// How long a call may take in a race, and how long a breaker is open there.
  Duration SHORT = Duration.ofMillis(100);

  /// How long is waited for something that ought to happen after [#SHORT].
  Duration PATIENCE = Duration.ofSeconds(2);

  String name();

  /// Asks whether to call, waits for the answer, and reports a success.
  void pair();

  /// A call that began before the breaker opened succeeds while a trial is under way.
  Shown lateSuccess();

  /// A trial never ends.
  Shown hungTrial();

  /// A call that blocks takes longer than it may.
  Shown runsOn();

  /// Callers fail at once, as often as it takes to open, less one; then once more.
  Shown lostCount(int threads, int failuresEach);

  @Override
  void close();

  /// @param shown whether the race shows
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

  /// Code that blocks until it is interrupted, or told that everything is over.
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

    /// To be asked when the call has timed out.
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

  /// A call that is to fail.
  static void awaitFailure(CompletableFuture<?> call) {
    try {
      call.join();
      throw new IllegalStateException("it was to time out");
    } catch (CompletionException timedOut) {
      // As it should.
    }
  }

  /// Whether something comes true while it is waited for.
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

  /// Runs something from several threads at once.
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
