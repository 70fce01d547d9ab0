package dev.handoff.internal.store;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import java.util.stream.IntStream;

/// Executor of a store: a task queue with its threads. Each thread has a private session: a
/// connection and its prepared statements.
public final class StoreExecutor<S extends AutoCloseable> {

  /// Messages to the threads of an executor.
  sealed interface Message<S> permits StoreTask, Bar, Stop {}

  /// Fails every following task with this failure.
  record Bar<S>(DatabaseFailure why) implements Message<S> {}

  record Stop<S>() implements Message<S> {}

  public interface Opener<S> {
    S open() throws SQLException;
  }

  /// Execution of several tasks on one session. An exception fails all tasks not answered yet;
  /// otherwise every task has been answered.
  public interface Turn<S> {
    void take(S session, List<StoreTask<S, ?>> tasks) throws SQLException;
  }

  /// Working environment of an executor's threads.
  ///
  /// @param most most waiting tasks per turn
  /// @param keeps whether an idle thread keeps its session
  public record Bench<S>(
      Opener<S> opener,
      Function<Throwable, DatabaseFailure> troubles,
      Turn<S> turn,
      int most,
      boolean keeps) {

    /// Environment with one task per turn.
    public static <S> Bench<S> single(
        Opener<S> opener, Function<Throwable, DatabaseFailure> troubles, boolean keeps) {
      return new Bench<>(opener, troubles, StoreExecutor::alone, 1, keeps);
    }
  }

  /// Queue limit. A longer queue means an outage, so further tasks are refused at once.
  static final int CAPACITY = 10_000;

  private final BlockingQueue<Message<S>> queue = new LinkedBlockingQueue<>();
  private final List<Thread> threads;
  private volatile boolean closed;

  private StoreExecutor(String name, int width, Bench<S> bench) {
    threads =
        IntStream.range(0, width)
            .mapToObj(
                index ->
                    Thread.ofPlatform()
                        .daemon()
                        .name("handoff-store-" + name + (width == 1 ? "" : "-" + index))
                        .unstarted(new StoreThread<>(name, queue, bench)))
            .toList();
  }

  /// @param width number of threads. Only an executor of one thread keeps the order of tasks
  public static <S extends AutoCloseable> StoreExecutor<S> start(
      String name, int width, Bench<S> bench) {
    var executor = new StoreExecutor<>(name, width, bench);
    executor.threads.forEach(Thread::start);
    return executor;
  }

  private static <S> void alone(S session, List<StoreTask<S, ?>> tasks) throws SQLException {
    for (StoreTask<S, ?> task : tasks) {
      task.run(session);
      task.tell();
    }
  }

  public <T> CompletableFuture<T> submit(StoreTask<S, T> task) {
    if (closed) {
      task.fail(DatabaseFailure.closed());
    } else if (queue.size() >= CAPACITY) {
      task.fail(DatabaseFailure.crowded(CAPACITY));
    } else {
      queue.add(task);
      if (closed && queue.remove(task)) {
        task.fail(DatabaseFailure.closed());
      }
    }
    return task.answer();
  }

  /// Fails all further tasks. For executors of one thread.
  public void bar(DatabaseFailure why) {
    queue.add(new Bar<>(why));
  }

  /// Runs the queued tasks, then ends the threads and their sessions. Idempotent.
  public void close() {
    closed = true;
    threads.forEach(thread -> queue.add(new Stop<>()));
    threads.forEach(StoreExecutor::await);
    drain().forEach(late -> late.fail(DatabaseFailure.closed()));
  }

  /// Waits for a thread to end, even if interrupted: an early return would leak a connection or a
  /// lock.
  public static void await(Thread thread) {
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

  private List<StoreTask<S, ?>> drain() {
    var left = new ArrayList<Message<S>>();
    queue.drainTo(left);
    var tasks = new ArrayList<StoreTask<S, ?>>();
    for (Message<S> message : left) {
      if (message instanceof StoreTask<S, ?> task) {
        tasks.add(task);
      }
    }
    return tasks;
  }
}
