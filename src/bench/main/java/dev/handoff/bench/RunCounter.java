package dev.handoff.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/// Counts the runs of each job from inside the handlers, and limits the number of unfinished jobs.
final class RunCounter {

  /// Keeps every worker of every contender busy, with a moderate queue.
  static final int MOST_WAITING = 20_000;

  private static final int MOST = 5_000_000;

  private final AtomicIntegerArray runs = new AtomicIntegerArray(MOST);
  private final AtomicInteger submitted = new AtomicInteger();
  private final AtomicInteger done = new AtomicInteger();
  private final Semaphore room = new Semaphore(MOST_WAITING);

  /// Numbers of the next jobs; waits until there is room for them.
  ///
  /// @return the first number
  int next(int count) throws InterruptedException {
    room.acquire(count);
    return submitted.getAndAdd(count);
  }

  /// Counts a run. Permits are released in batches: single permits would repeatedly wake a
  /// submitter that needs many.
  void ran(int number) {
    runs.incrementAndGet(number);
    if (done.incrementAndGet() % LoadThreads.LOT == 0) {
      room.release(LoadThreads.LOT);
    }
  }

  int submitted() {
    return submitted.get();
  }

  long done() {
    return done.get();
  }

  /// Accepted jobs that have not run.
  List<Integer> lost() {
    return withRuns(0, 0);
  }

  /// Jobs that ran more than once.
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
