package dev.handoff.bench;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;

/// The handler of an engine with one worker: holds its job until it is asked to measure, lets so
/// many jobs through, one after the other, and holds the next one. What it measures is the time
/// from the end of one job to the start of the next: the end made durable, the worker offered, the
/// claim made durable, the order to run.
final class Claims {

  private record Round(long[] nanos, CountDownLatch done) {}

  private final CountDownLatch held = new CountDownLatch(1);
  private final Semaphore go = new Semaphore(0);
  private volatile Round round = new Round(new long[0], held);
  private volatile int count;
  private volatile long ended;
  private volatile int endings;

  /// Waits until a job is held.
  void awaitFirst() throws InterruptedException {
    held.await();
  }

  /// Lets jobs through; so many, and one more, must be waiting.
  ///
  /// @return how long each of them waited for the worker, sorted
  long[] measure(int jobs) throws InterruptedException {
    round = new Round(new long[jobs], new CountDownLatch(1));
    count = 0;
    go.release();
    round.done.await();
    Arrays.sort(round.nanos);
    return round.nanos;
  }

  /// Called by a job. Only one is in here at a time.
  Object ran() throws InterruptedException {
    long now = System.nanoTime();
    var current = round;
    int number = count;
    if (number < current.nanos.length) {
      current.nanos[number] = now - ended;
      count = number + 1;
    }
    if (count == current.nanos.length) {
      current.done.countDown();
      go.acquire();
    }
    endings++;
    ended = System.nanoTime();
    return null;
  }

  /// How many jobs have gone through.
  int endings() {
    return endings;
  }

  static double millis(long[] sorted, double share) {
    return Report.quantile(sorted, share) / 1e6;
  }
}
