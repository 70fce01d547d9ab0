package dev.handoff.internal.ask;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Pause of a thread that may block, never of an actor's. The thread waits itself, so no timer is
/// involved: those of `CompletableFuture` start a thread of the JDK that never ends.
public final class ThreadPause {

  private ThreadPause() {}

  /// Pauses the current thread.
  ///
  /// @throws InterruptedException if an interrupt ends the pause early
  public static void await(Duration length) throws InterruptedException {
    new CountDownLatch(1).await(length.toNanos(), TimeUnit.NANOSECONDS);
  }

  /// Pauses the current thread. An interrupt does not shorten the pause; the thread's interrupt
  /// flag is restored at the end.
  public static void awaitAll(Duration length) {
    long end = System.nanoTime() + length.toNanos();
    boolean interrupted = false;
    for (long left = length.toNanos(); left > 0; left = end - System.nanoTime()) {
      try {
        await(Duration.ofNanos(left));
      } catch (InterruptedException notNow) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /// Runs a task after a pause, on a virtual thread. The engine's own steps use
  /// [ActorQuestions#pause] instead, which ends with the engine.
  public static void beforeTask(Duration length, String threadName, Runnable task) {
    Thread.ofVirtual()
        .name(threadName)
        .start(
            () -> {
              awaitAll(length);
              task.run();
            });
  }
}
