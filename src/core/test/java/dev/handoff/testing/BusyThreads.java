package dev.handoff.testing;

import dev.handoff.internal.ask.CallbackThreads;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Consumer;

/// Occupies threads that the whole JVM shares, until closed.
public final class BusyThreads implements AutoCloseable {

  private final CountDownLatch release = new CountDownLatch(1);

  private BusyThreads() {}

  /// Blocks all threads of `ForkJoinPool.commonPool()`.
  public static BusyThreads ofTheCommonPool() {
    var busy = new BusyThreads();
    hold(
        Math.max(1, ForkJoinPool.getCommonPoolParallelism()),
        task ->
            ForkJoinPool.commonPool()
                .execute(
                    () -> {
                      task.run();
                      busy.await();
                    }));
    return busy;
  }

  /// Keeps all carriers of virtual threads busy computing, as handlers can.
  public static BusyThreads ofVirtualThreads() {
    var busy = new BusyThreads();
    hold(
        Runtime.getRuntime().availableProcessors(),
        task ->
            Thread.startVirtualThread(
                () -> {
                  task.run();
                  busy.spin();
                }));
    return busy;
  }

  /// Blocks half of the available callback threads.
  public static BusyThreads ofCallbacks() {
    return ofCallbacks(CallbackThreads.MOST / 2);
  }

  /// Blocks all available callback threads, so that no further callback runs.
  public static BusyThreads ofAllCallbacks() {
    return ofCallbacks(CallbackThreads.MOST);
  }

  private static BusyThreads ofCallbacks(int count) {
    var busy = new BusyThreads();
    hold(
        count,
        task ->
            CallbackThreads.callbacks()
                .execute(
                    () -> {
                      task.run();
                      busy.await();
                    }));
    return busy;
  }

  private static void hold(int count, Consumer<Runnable> start) {
    var held = new CountDownLatch(count);
    for (int i = 0; i < count; i++) {
      start.accept(held::countDown);
    }
    try {
      held.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void await() {
    try {
      release.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void spin() {
    while (release.getCount() > 0) {
      Thread.onSpinWait();
    }
  }

  @Override
  public void close() {
    release.countDown();
  }
}
