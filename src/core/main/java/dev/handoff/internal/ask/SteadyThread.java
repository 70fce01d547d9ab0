package dev.handoff.internal.ask;

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

/// Executor with one thread that survives every `Error` of its tasks. A pool would replace the
/// thread, which fails in a full heap; the actor mailboxes in its queue would then never run again.
/// This executor allocates nothing for a task: the thread and the queue's capacity exist from the
/// start.
final class SteadyThread extends AbstractExecutorService {

  /// Queue capacity. Each actor has at most one task in the queue, and each engine of an actor
  /// system has one such actor.
  private static final int ROOM = 1024;

  private static final Runnable WAKE = () -> {};

  private final BlockingQueue<Runnable> tasks = new ArrayBlockingQueue<>(ROOM);
  private final CountDownLatch over = new CountDownLatch(1);
  private volatile boolean shutdown;

  SteadyThread(ThreadFactory threads) {
    threads.newThread(this::work).start();
  }

  /// Factory for a Pekko dispatcher, named in its configuration.
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
      // Interrupt of a task or of a shutdown; the loop condition sees a shutdown.
    } catch (Throwable failure) {
      tell(failure);
    }
  }

  /// Reports the failure to the actor system, as if the thread had ended.
  private static void tell(Throwable failure) {
    try {
      var thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
    } catch (Throwable noMemory) {
      // The heap is full; other parts report the same failure.
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
