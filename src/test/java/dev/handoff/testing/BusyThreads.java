package dev.handoff.testing;

import dev.handoff.ask.CallbackThreads;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Consumer;

/// Threads that a whole JVM shares, held until this is closed.
public final class BusyThreads implements AutoCloseable {

  private final CountDownLatch release = new CountDownLatch(1);

  private BusyThreads() {}

  /// All threads of `ForkJoinPool.commonPool()` wait.
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

  /// All carriers of virtual threads compute, as handlers may.
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

  /// Half of the callbacks that may block at once do.
  public static BusyThreads ofCallbacks() {
    return ofCallbacks(CallbackThreads.MOST / 2);
  }

  /// As many callbacks block as there may be: none runs any more.
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
