package dev.handoff.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/// Counts, inside the jobs, how often each of them has run, and holds submissions back while too
/// many are not done.
final class Tally {

  /// Enough waiting jobs to keep every worker of every contender busy, few enough to stay a queue.
  static final int MOST_WAITING = 20_000;

  private static final int MOST = 5_000_000;

  private final AtomicIntegerArray runs = new AtomicIntegerArray(MOST);
  private final AtomicInteger submitted = new AtomicInteger();
  private final AtomicInteger done = new AtomicInteger();
  private final Semaphore room = new Semaphore(MOST_WAITING);

  /// The next numbers to submit, when there is room for them.
  ///
  /// @return the first one
  int next(int count) throws InterruptedException {
    room.acquire(count);
    return submitted.getAndAdd(count);
  }

  /// Called by a job. Room is made by the lot: a permit for each job would wake a submitter that
  /// waits for many, for nothing.
  void ran(int number) {
    runs.incrementAndGet(number);
    if (done.incrementAndGet() % Load.LOT == 0) {
      room.release(Load.LOT);
    }
  }

  int submitted() {
    return submitted.get();
  }

  long done() {
    return done.get();
  }

  /// Jobs that were accepted and have not run.
  List<Integer> lost() {
    return withRuns(0, 0);
  }

  /// Jobs that have run more than once.
  List<Integer> repeated() {
    return withRuns(2, Integer.MAX_VALUE);
  }

  private List<Integer> withRuns(int least, int most) {
    var found = new ArrayList<Integer>();
    for (int number = 0; number < submitted.get(); number++) {
      if (runs.get(number) >= least && runs.get(number) <= most) {
        found.add(number);
      }
    }
    return found;
  }
}
