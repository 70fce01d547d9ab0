package dev.handoff.store;

import java.util.ArrayList;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What one thread of a lane does: takes tasks, opens a session when it needs one, and opens
/// another when it broke.
final class LaneThread<S extends AutoCloseable> implements Runnable {

  private static final Logger log = LoggerFactory.getLogger(LaneThread.class);

  /// A turn that has come to this many bytes takes no more tasks: somebody waits behind it.
  private static final long MOST_BYTES = 8L << 20;

  private final String name;
  private final BlockingQueue<Lane.Message<S>> queue;
  private final Lane.Bench<S> bench;
  private @Nullable S session;
  private @Nullable Trouble barred;
  private boolean away;
  private boolean stopped;

  /// The task that this turn began with: its answer is owed, also where there was no memory to add
  /// it to the others.
  private @Nullable Task<S, ?> first;

  /// Tasks of this turn: their answers are owed.
  private ArrayList<Task<S, ?>> tasks = new ArrayList<>();

  LaneThread(String name, BlockingQueue<Lane.Message<S>> queue, Lane.Bench<S> bench) {
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

  private void take(Lane.Message<S> message) {
    switch (message) {
      case Lane.Stop<S> stop -> stopped = true;
      case Lane.Bar<S> bar -> barred = bar.why();
      case Task<S, ?> task -> {
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

  private Lane.Message<S> next() {
    while (true) {
      try {
        return queue.take();
      } catch (InterruptedException stray) {
        // Nobody has a reason to interrupt this thread, and its answers are still owed.
        log.debug("lane {} was interrupted and goes on", name);
      }
    }
  }

  /// Adds the tasks that wait right behind.
  private void gatherMore(int most, long mostBytes) {
    long bytes = tasks.stream().mapToLong(Task::bytes).sum();
    while (tasks.size() < most && bytes < mostBytes && queue.peek() instanceof Task<S, ?> waiting) {
      // Room first: a full heap here must not lose a task.
      tasks.ensureCapacity(tasks.size() + 1);
      if (queue.remove(waiting)) {
        tasks.add(waiting);
        bytes += waiting.bytes();
      }
    }
  }

  private void serve() {
    var trouble = barred != null ? barred : attempt();
    if (trouble instanceof Trouble.Away lost && lost.sessionLost()) {
      // What has been told is not done again: taking a partition over twice would fence the first.
      tasks.removeIf(Task::isTold);
      trouble = attempt();
    }
    if (trouble != null) {
      report(trouble);
      for (Task<S, ?> task : tasks) {
        task.fail(trouble);
      }
    } else if (away) {
      away = false;
      log.info("lane {}: the store is back", name);
    }
  }

  /// Catches errors too: whatever goes wrong, this thread lives and the answers are given.
  private @Nullable Trouble attempt() {
    try {
      if (session == null) {
        session = bench.opener().open();
      }
    } catch (Throwable unreachable) {
      // Whoever waits behind these has waited for the same door.
      gatherMore(Lane.CAPACITY, Long.MAX_VALUE);
      return bench.troubles().apply(unreachable).atOnce();
    }
    try {
      bench.turn().take(session, tasks);
      return null;
    } catch (Throwable broken) {
      var trouble = bench.troubles().apply(broken);
      if (!(trouble instanceof Trouble.Data)) {
        release();
      }
      return trouble;
    }
  }

  /// Answers what is owed after an Error that left no room to say so, such as a full heap: again
  /// and again, until there is room.
  private void settle(Throwable exhausted) {
    boolean owed = true;
    while (owed) {
      try {
        var trouble = bench.troubles().apply(exhausted);
        release();
        fail(first, trouble);
        for (Task<S, ?> task : tasks) {
          fail(task, trouble);
        }
        owed = false;
      } catch (Throwable again) {
        Thread.yield(); // the threads that hold the memory go on
      }
    }
  }

  private void fail(@Nullable Task<S, ?> task, Trouble trouble) {
    if (task != null && !task.isTold()) {
      task.fail(trouble);
    }
  }

  private void report(Trouble trouble) {
    String what = tasks.getFirst().what();
    switch (trouble) {
      case Trouble.Away first when !away -> {
        away = true;
        log.warn("lane {}: {}: {}", name, what, first.reason(), first.cause());
      }
      case Trouble.Away again -> log.debug("lane {}: {}: {}", name, what, again.reason());
      case Trouble.Data data -> log.warn("lane {}: {} was refused: {}", name, what, data.reason());
      case Trouble.Damage first when !away -> {
        away = true;
        log.error("lane {}: {}: {}", name, what, first.reason(), first.cause());
      }
      case Trouble.Damage again -> log.debug("lane {}: {}: {}", name, what, again.reason());
      case Trouble.Taken taken -> log.debug("lane {}: {}: {}", name, what, taken.reason());
    }
  }

  private void release() {
    if (session == null) {
      return;
    }
    try {
      session.close();
    } catch (Exception closing) {
      log.debug("lane {}: closing a session: {}", name, closing.toString());
    }
    session = null;
  }
}
