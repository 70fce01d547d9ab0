package dev.handoff.internal.store;

import java.util.ArrayList;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Thread of an executor: takes tasks, opens a session on demand, and replaces a broken one.
final class StoreThread<S extends AutoCloseable> implements Runnable {

  private static final Logger log = LoggerFactory.getLogger(StoreThread.class);

  /// Turn size in bytes at which no further task joins: callers wait behind the turn.
  private static final long MOST_BYTES = 8L << 20;

  private final String name;
  private final BlockingQueue<StoreExecutor.Message<S>> queue;
  private final StoreExecutor.Bench<S> bench;
  private @Nullable S session;
  private @Nullable DatabaseFailure barred;
  private boolean away;
  private boolean stopped;

  /// First task of the turn, answered even if memory was too short to add it to [#tasks].
  private @Nullable StoreTask<S, ?> first;

  /// Tasks of the turn, which must all be answered.
  private ArrayList<StoreTask<S, ?>> tasks = new ArrayList<>();

  StoreThread(
      String name, BlockingQueue<StoreExecutor.Message<S>> queue, StoreExecutor.Bench<S> bench) {
    this.name = name;
    this.queue = queue;
    this.bench = bench;
  }

  @Override
  public void run() {
    while (!stopped) {
      try {
        take(next());
      } catch (Throwable exhausted) {
        settle(exhausted);
      }
    }
  }

  private void take(StoreExecutor.Message<S> message) {
    switch (message) {
      case StoreExecutor.Stop<S> stop -> stopped = true;
      case StoreExecutor.Bar<S> bar -> barred = bar.why();
      case StoreTask<S, ?> task -> {
        first = task;
        tasks = new ArrayList<>();
        tasks.add(task);
        gatherMore(bench.most(), MOST_BYTES);
        serve();
      }
    }
    if (stopped || !bench.keeps() && queue.isEmpty()) {
      release();
    }
  }

  private StoreExecutor.Message<S> next() {
    while (true) {
      try {
        return queue.take();
      } catch (InterruptedException stray) {
        // No component interrupts this thread on purpose, and tasks still need answers.
        log.debug("store executor {} was interrupted and goes on", name);
      }
    }
  }

  /// Adds the tasks queued directly behind.
  private void gatherMore(int most, long mostBytes) {
    long bytes = tasks.stream().mapToLong(StoreTask::bytes).sum();
    while (tasks.size() < most
        && bytes < mostBytes
        && queue.peek() instanceof StoreTask<S, ?> waiting) {
      // Reserve space first: an OutOfMemoryError here must not lose a task.
      tasks.ensureCapacity(tasks.size() + 1);
      if (queue.remove(waiting)) {
        tasks.add(waiting);
        bytes += waiting.bytes();
      }
    }
  }

  private void serve() {
    var trouble = barred != null ? barred : attempt();
    if (trouble instanceof DatabaseFailure.Away lost && lost.sessionLost()) {
      // Answered tasks are not repeated: a second takeover of a partition would fence the first.
      tasks.removeIf(StoreTask::isTold);
      trouble = attempt();
    }
    if (trouble != null) {
      report(trouble);
      for (StoreTask<S, ?> task : tasks) {
        task.fail(trouble);
      }
    } else if (away) {
      away = false;
      log.info("store executor {}: the store is back", name);
    }
  }

  /// Runs the turn and returns its failure. Errors are caught too: the thread survives and tasks
  /// are answered.
  private @Nullable DatabaseFailure attempt() {
    try {
      if (session == null) {
        session = bench.opener().open();
      }
    } catch (Throwable unreachable) {
      // Queued tasks would fail at the same connection: they fail now, together.
      gatherMore(StoreExecutor.CAPACITY, Long.MAX_VALUE);
      return bench.troubles().apply(unreachable).atOnce();
    }
    try {
      bench.turn().take(session, tasks);
      return null;
    } catch (Throwable broken) {
      var trouble = bench.troubles().apply(broken);
      if (!(trouble instanceof DatabaseFailure.Data)) {
        release();
      }
      return trouble;
    }
  }

  /// Answers all tasks after an `Error` that prevented it, such as a full heap. Retries until
  /// memory is available.
  private void settle(Throwable exhausted) {
    boolean owed = true;
    while (owed) {
      try {
        var trouble = bench.troubles().apply(exhausted);
        release();
        fail(first, trouble);
        for (StoreTask<S, ?> task : tasks) {
          fail(task, trouble);
        }
        owed = false;
      } catch (Throwable again) {
        Thread.yield(); // lets threads that hold memory proceed
      }
    }
  }

  private void fail(@Nullable StoreTask<S, ?> task, DatabaseFailure trouble) {
    if (task != null && !task.isTold()) {
      task.fail(trouble);
    }
  }

  private void report(DatabaseFailure trouble) {
    String what = tasks.getFirst().what();
    switch (trouble) {
      case DatabaseFailure.Away first when !away -> {
        away = true;
        log.warn("store executor {}: {}: {}", name, what, first.reason(), first.cause());
      }
      case DatabaseFailure.Away again ->
          log.debug("store executor {}: {}: {}", name, what, again.reason());
      case DatabaseFailure.Data data ->
          log.warn("store executor {}: {} was refused: {}", name, what, data.reason());
      case DatabaseFailure.Damage first when !away -> {
        away = true;
        log.error("store executor {}: {}: {}", name, what, first.reason(), first.cause());
      }
      case DatabaseFailure.Damage again ->
          log.debug("store executor {}: {}: {}", name, what, again.reason());
      case DatabaseFailure.Taken taken ->
          log.debug("store executor {}: {}: {}", name, what, taken.reason());
    }
  }

  /// Closes the session once: a driver that throws an `Error` at each close must not block the
  /// thread.
  private void release() {
    var closing = session;
    session = null;
    if (closing == null) {
      return;
    }
    try {
      closing.close();
    } catch (Exception failure) {
      log.debug("store executor {}: closing a session: {}", name, failure.toString());
    }
  }
}
