package dev.handoff.ask;

import com.typesafe.config.Config;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.dispatch.DispatcherPrerequisites;
import org.apache.pekko.dispatch.ExecutorServiceConfigurator;
import org.apache.pekko.dispatch.ExecutorServiceFactory;
import org.apache.pekko.dispatch.MonitorableThreadFactory;

/// One thread that runs tasks, and outlives every `Error` that one of them throws. A pool makes a
/// new thread then, for which a full heap has no room; the mailbox of an actor that waits in its
/// queue is never run again. Nothing has to be made here: the thread is there from the start, and
/// so is the room in its queue.
final class SteadyThread extends AbstractExecutorService {

  /// One task for each actor on it: there is one for each engine of an actor system.
  private static final int ROOM = 1024;

  private static final Runnable WAKE = () -> {};

  private final BlockingQueue<Runnable> tasks = new ArrayBlockingQueue<>(ROOM);
  private final CountDownLatch over = new CountDownLatch(1);
  private volatile boolean shutdown;

  SteadyThread(ThreadFactory threads) {
    threads.newThread(this::work).start();
  }

  /// Makes them for a dispatcher of Pekko, by its configuration.
  public static final class Configurator extends ExecutorServiceConfigurator {

    public Configurator(Config config, DispatcherPrerequisites prerequisites) {
      super(config, prerequisites);
    }

    @Override
    public ExecutorServiceFactory createExecutorServiceFactory(String id, ThreadFactory threads) {
      return new ThreadMaker(
          threads instanceof MonitorableThreadFactory named
              ? named.withName(named.name() + "-" + id)
              : threads);
    }
  }

  private record ThreadMaker(ThreadFactory threads) implements ExecutorServiceFactory {
    @Override
    public ExecutorService createExecutorService() {
      return new SteadyThread(threads);
    }
  }

  private void work() {
    try {
      while (!shutdown || !tasks.isEmpty()) {
        runNext();
      }
    } finally {
      over.countDown();
    }
  }

  private void runNext() {
    try {
      tasks.take().run();
    } catch (InterruptedException leftover) {
      // Of a task, or of a shutdown, which is seen.
    } catch (Throwable failure) {
      tell(failure);
    }
  }

  /// The actor system hears of it as if this thread had ended.
  private static void tell(Throwable failure) {
    try {
      var thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
    } catch (Throwable noMemory) {
      // What there is to be told, others say as well.
    }
  }

  @Override
  public void execute(Runnable task) {
    if (shutdown || !tasks.offer(task) || shutdown && tasks.remove(task)) {
      throw new RejectedExecutionException("it is shut down, or its queue is full");
    }
  }

  @Override
  public void shutdown() {
    shutdown = true;
    tasks.offer(WAKE);
  }

  @Override
  public List<Runnable> shutdownNow() {
    var left = new ArrayList<Runnable>();
    tasks.drainTo(left);
    shutdown();
    return left;
  }

  @Override
  public boolean isShutdown() {
    return shutdown;
  }

  @Override
  public boolean isTerminated() {
    return over.getCount() == 0;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return over.await(timeout, unit);
  }
}
