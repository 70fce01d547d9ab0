package dev.handoff.store;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import java.util.stream.IntStream;

/// A queue of tasks, and the threads that work it off. Each thread has a session (a connection and
/// its prepared statements) that nobody else touches; the queue is the only way to it.
final class Lane<S extends AutoCloseable> {

  /// What a lane's threads understand.
  sealed interface Message<S> permits Task, Bar, Stop {}

  /// From now on every task is answered with this trouble.
  record Bar<S>(Trouble why) implements Message<S> {}

  record Stop<S>() implements Message<S> {}

  interface Opener<S> {
    S open() throws SQLException;
  }

  /// How several tasks share a turn on a session. Throws when it came to nothing for those that
  /// have not been told their answer by then; otherwise every task has been told.
  interface Turn<S> {
    void take(S session, List<Task<S, ?>> tasks) throws SQLException;
  }

  /// What a lane's threads work with.
  ///
  /// @param most how many waiting tasks share one turn
  /// @param keeps whether a thread keeps its session while there is nothing to do
  record Bench<S>(
      Opener<S> opener,
      Function<Throwable, Trouble> troubles,
      Turn<S> turn,
      int most,
      boolean keeps) {

    /// One task at a time, each on its own.
    static <S> Bench<S> single(
        Opener<S> opener, Function<Throwable, Trouble> troubles, boolean keeps) {
      return new Bench<>(opener, troubles, Lane::alone, 1, keeps);
    }
  }

  /// More than this is not waiting but an outage: what comes then is turned away at once.
  static final int CAPACITY = 10_000;

  private final BlockingQueue<Message<S>> queue = new LinkedBlockingQueue<>();
  private final List<Thread> threads;
  private volatile boolean closed;

  private Lane(String name, int width, Bench<S> bench) {
    threads =
        IntStream.range(0, width)
            .mapToObj(
                index ->
                    Thread.ofPlatform()
                        .daemon()
                        .name("handoff-store-" + name + (width == 1 ? "" : "-" + index))
                        .unstarted(new LaneThread<>(name, queue, bench)))
            .toList();
  }

  /// @param width how many threads. Tasks of a lane keep their order only if it is one
  static <S extends AutoCloseable> Lane<S> start(String name, int width, Bench<S> bench) {
    var lane = new Lane<>(name, width, bench);
    lane.threads.forEach(Thread::start);
    return lane;
  }

  private static <S> void alone(S session, List<Task<S, ?>> tasks) throws SQLException {
    for (Task<S, ?> task : tasks) {
      task.run(session);
      task.tell();
    }
  }

  <T> CompletableFuture<T> submit(Task<S, T> task) {
    if (closed) {
      task.fail(Trouble.closed());
    } else if (queue.size() >= CAPACITY) {
      task.fail(Trouble.crowded(CAPACITY));
    } else {
      queue.add(task);
      if (closed && queue.remove(task)) {
        task.fail(Trouble.closed());
      }
    }
    return task.answer();
  }

  /// Lets no further task through. For lanes of one thread.
  void bar(Trouble why) {
    queue.add(new Bar<>(why));
  }

  /// Waits for what was handed in, then ends the threads and their sessions. Idempotent.
  void close() {
    closed = true;
    threads.forEach(thread -> queue.add(new Stop<>()));
    threads.forEach(Lane::await);
    drain().forEach(late -> late.fail(Trouble.closed()));
  }

  /// Waits for a thread to end, whatever happens: leaving early would leave a connection or a lock
  /// behind.
  static void await(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException impatient) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private List<Task<S, ?>> drain() {
    var left = new ArrayList<Message<S>>();
    queue.drainTo(left);
    var tasks = new ArrayList<Task<S, ?>>();
    for (Message<S> message : left) {
      if (message instanceof Task<S, ?> task) {
        tasks.add(task);
      }
    }
    return tasks;
  }
}
