package dev.handoff.bench;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;

/// Job handler for an engine with one worker. It blocks its job until [#measure], lets a number of
/// jobs run in sequence, and blocks the next. The measured time from the end of one job to the
/// start of the next covers: end durable, worker offered, claim durable, run order.
final class ClaimBench {

  private record Round(long[] nanos, CountDownLatch done) {}

  private final CountDownLatch held = new CountDownLatch(1);
  private final Semaphore go = new Semaphore(0);
  private volatile Round round = new Round(new long[0], held);
  private volatile int count;
  private volatile long ended;
  private volatile int endings;

  /// Waits until a job is blocked.
  void awaitFirst() throws InterruptedException {
    held.await();
  }

  /// Lets jobs run; one more than this number must be queued.
  ///
  /// @return waiting time of each job for the worker, sorted
  long[] measure(int jobs) throws InterruptedException {
    round = new Round(new long[jobs], new CountDownLatch(1));
    count = 0;
    go.release();
    round.done.await();
    Arrays.sort(round.nanos);
    return round.nanos;
  }

  /// Handler code. Never runs concurrently.
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

  /// Number of completed jobs.
  int endings() {
    return endings;
  }

  static double millis(long[] sorted, double share) {
    return RunReport.quantile(sorted, share) / 1e6;
  }
}
