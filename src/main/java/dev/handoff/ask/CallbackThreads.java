package dev.handoff.ask;

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

/// Platform threads for code that may block. A few do all the work while none of it blocks; for
/// each task that does, another one is started, up to [#MOST] at once; further tasks wait. Threads
/// without work end after some seconds, so there is nothing to close.
///
/// Not virtual threads: handlers that compute hold the carriers that these share. Not a plain pool
/// of so many threads either: it wakes one for each task, and that costs several times as much as
/// the callbacks of submissions do.
public final class CallbackThreads implements Executor {

  /// How many tasks of a kind may block at once.
  public static final int MOST = 256;

  private static final Logger log = LoggerFactory.getLogger(CallbackThreads.class);
  private static final int KEPT_SECONDS = 10;
  private static final CallbackThreads CALLBACKS = new CallbackThreads("handoff-callback-");
  private static final CallbackThreads ANSWERS = new CallbackThreads("handoff-answer-");
  private static final CallbackThreads RELAYS = new CallbackThreads("handoff-relay-");
  private static final CallbackThreads CALLS = new CallbackThreads("handoff-call-");
  private static final CallbackThreads CHORES = new CallbackThreads("handoff-chore-");

  /// The pool is never shut down: it rejects what it has no memory to keep.
  private static final OutOfMemoryError NO_ROOM =
      new OutOfMemoryError("no room for another callback");

  private static final Function<Runnable, Task> MAKING = Task::new;

  private final ForkJoinPool pool;
  private final Consumer<Task> giving;

  CallbackThreads(String names) {
    this(owner -> new Named(owner, names));
  }

  CallbackThreads(ForkJoinPool.ForkJoinWorkerThreadFactory threads) {
    // A pool that has taken a task and gets no thread for it does not ask for one again.
    Function<ForkJoinPool, ForkJoinWorkerThread> hiring = threads::newThread;
    int few = Math.max(2, Runtime.getRuntime().availableProcessors());
    pool =
        new ForkJoinPool(
            few,
            owner -> FullHeap.make(hiring, owner),
            (thread, failure) -> warn(failure),
            true,
            0,
            MOST,
            1,
            full -> true,
            KEPT_SECONDS,
            TimeUnit.SECONDS);
    giving = this::give;
  }

  /// The threads that run callbacks of users: what follows from a stage, and from a cancel. The
  /// engine never waits for one of them.
  public static Executor callbacks() {
    return CALLBACKS;
  }

  /// The threads on which the engine takes the steps to an answer. None of these blocks.
  public static Executor answers() {
    return ANSWERS;
  }

  /// The threads that complete stages of the JDK which combine answers, and that run what users
  /// hang on these without an executor.
  static Executor relays() {
    return RELAYS;
  }

  /// The threads for guarded calls that get no virtual one.
  public static Executor calls() {
    return CALLS;
  }

  /// The threads on which the engine itself waits for files and for the store. All of them may do
  /// so at once: nothing else runs there.
  public static Executor chores() {
    return CHORES;
  }

  /// Runs the task, also when there is no memory for that now: it may be the callback of a stage
  /// that is complete, and nobody would run it later.
  @Override
  public void execute(Runnable task) {
    FullHeap.outlast(giving, FullHeap.make(MAKING, task));
  }

  /// There may be no memory for a thread when the pool has taken the task already.
  private void give(Task task) {
    try {
      pool.execute(task);
    } catch (RejectedExecutionException full) {
      throw NO_ROOM;
    }
  }

  /// The pool takes each task for one that blocks, and sees that another thread can go on. Begun
  /// once, however often it is given to the pool; never fails, since a thread of the pool that
  /// fails drops what it has still to run.
  private static final class Task implements Runnable, ForkJoinPool.ManagedBlocker {

    private final AtomicBoolean begun = new AtomicBoolean();
    private final Runnable work;

    Task(Runnable work) {
      this.work = work;
    }

    @Override
    public void run() {
      // What was meant for the task before this one.
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
      // There is nobody else to tell.
    }
  }

  private static final class Named extends ForkJoinWorkerThread {
    Named(ForkJoinPool pool, String names) {
      super(pool);
      setName(names + threadId());
    }
  }
}
