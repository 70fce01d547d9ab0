package dev.handoff.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Threads that submit jobs for a given time.
final class LoadThreads {

  static final int THREADS = 4;

  /// Number of jobs that a thread submits together.
  static final int LOT = 500;

  private LoadThreads() {}

  /// Submits one batch of jobs.
  interface Lot {
    void submit() throws Exception;
  }

  static void run(Duration time, Lot lot) throws InterruptedException, ExecutionException {
    long end = System.nanoTime() + time.toNanos();
    try (var threads = Executors.newFixedThreadPool(THREADS)) {
      var running = new ArrayList<Future<?>>();
      for (int i = 0; i < THREADS; i++) {
        running.add(
            threads.submit(
                () -> {
                  while (System.nanoTime() < end) {
                    lot.submit();
                  }
                  return null;
                }));
      }
      await(running);
    }
  }

  private static void await(List<Future<?>> running)
      throws InterruptedException, ExecutionException {
    for (var one : running) {
      one.get();
    }
  }
}
