package dev.handoff.internal.ask;

import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Executor of platform threads for code that may block. A few threads do all the work while no
/// task blocks; each blocking task gets an extra thread, up to [#MOST] at once; further tasks wait.
/// Idle threads end soon, so the executor needs no shutdown, and hosts that wait for the threads of
/// a program wait only for a moment.
///
/// Rejected alternatives: virtual threads share carrier threads that computing handlers may occupy;
/// a plain pool of this size wakes a thread for each task, which costs several times as much as the
/// callbacks of submissions.
public final class CallbackThreads implements Executor {

  /// Maximum number of tasks of one kind that may block at once.
  public static final int MOST = 256;

  private static final Logger log = LoggerFactory.getLogger(CallbackThreads.class);
  private static final int KEPT_MILLIS = 500;
  private static final CallbackThreads CALLBACKS = new CallbackThreads("handoff-callback-");
  private static final CallbackThreads ANSWERS = new CallbackThreads("handoff-answer-");
  private static final CallbackThreads RELAYS = new CallbackThreads("handoff-relay-");
  private static final CallbackThreads CALLS = new CallbackThreads("handoff-call-");
  private static final CallbackThreads CHORES = new CallbackThreads("handoff-chore-");

  /// The pool is never shut down: it rejects a task only when the heap is full.
  private static final OutOfMemoryError NO_ROOM =
      new OutOfMemoryError("no room for another callback");

  private static final Function<Runnable, Task> MAKING = Task::new;

  private final ForkJoinPool pool;
  private final Consumer<Task> giving;

  CallbackThreads(String names) {
    this(owner -> new Named(owner, names));
  }

  CallbackThreads(ForkJoinPool.ForkJoinWorkerThreadFactory threads) {
    // A pool that has accepted a task but got no thread for it does not ask again, so the factory
    // retries.
    Function<ForkJoinPool, ForkJoinWorkerThread> hiring = threads::newThread;
    int few = Math.max(2, Runtime.getRuntime().availableProcessors());
    pool =
        new ForkJoinPool(
            few,
            owner -> FullHeapSteps.make(hiring, owner),
            (thread, failure) -> warn(failure),
            true,
            0,
            MOST,
            1,
            full -> true,
            KEPT_MILLIS,
            TimeUnit.MILLISECONDS);
    giving = this::give;
  }

  /// Executor for user callbacks of stages and cancels. The engine never waits for one of these
  /// threads.
  public static Executor callbacks() {
    return CALLBACKS;
  }

  /// Executor for the engine's own steps towards an answer. None of these steps blocks.
  public static Executor answers() {
    return ANSWERS;
  }

  /// Executor that completes JDK stages which combine answers, and so runs user code attached to
  /// them without an executor.
  static Executor relays() {
    return RELAYS;
  }

  /// Executor for guarded calls that get no virtual thread.
  public static Executor calls() {
    return CALLS;
  }

  /// Executor for the engine's blocking file and store operations. All of its threads may block at
  /// once, because no other tasks run there.
  public static Executor chores() {
    return CHORES;
  }

  /// Runs the task even if the heap is full for a moment. The task may be a callback of an already
  /// complete stage, which no other thread would run later.
  @Override
  public void execute(Runnable task) {
    FullHeapSteps.outlast(giving, FullHeapSteps.make(MAKING, task));
  }

  /// The pool may fail to create a thread after it has accepted the task.
  private void give(Task task) {
    try {
      pool.execute(task);
    } catch (RejectedExecutionException full) {
      throw NO_ROOM;
    }
  }

  /// Task that the pool treats as blocking, so that the pool starts a replacement thread. It runs
  /// at most once, however often the pool gets it. It never throws, because a pool thread that
  /// fails drops its remaining tasks.
  private static final class Task implements Runnable, ForkJoinPool.ManagedBlocker {

    private final AtomicBoolean begun = new AtomicBoolean();
    private final Runnable work;

    Task(Runnable work) {
      this.work = work;
    }

    @Override
    public void run() {
      // Clears an interrupt that was meant for the previous task.
      Thread.interrupted();
      try {
        ForkJoinPool.managedBlock(this);
      } catch (Throwable noOtherThread) {
        block();
      }
    }

    @Override
    public boolean block() {
      if (begun.compareAndSet(false, true)) {
        try {
          work.run();
        } catch (Throwable failure) {
          warn(failure);
        }
      }
      return true;
    }

    @Override
    public boolean isReleasable() {
      return begun.get();
    }
  }

  private static void warn(Throwable failure) {
    try {
      log.warn("a callback failed", failure);
    } catch (Throwable noMemory) {
      // No other place to report the failure.
    }
  }

  private static final class Named extends ForkJoinWorkerThread {
    Named(ForkJoinPool pool, String names) {
      super(pool);
      setName(names + threadId());
    }
  }
}
