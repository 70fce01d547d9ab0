package dev.handoff.testing;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Bounded waits of tests, for a message or for a condition.
public final class BoundedWaits {

  /// Longest wait. Mutation tests lower it: each mutant that loses a message costs one full wait.
  public static final Duration PATIENCE =
      Duration.ofSeconds(Integer.getInteger("handoff.tests.patience-seconds", 30));

  private BoundedWaits() {}

  /// Result of a stage. Its failure is thrown unwrapped if it is a `RuntimeException`.
  public static <T> T get(CompletionStage<T> stage) {
    try {
      return stage
          .toCompletableFuture()
          .copy()
          .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
          .join();
    } catch (CompletionException failure) {
      throw failure.getCause() instanceof RuntimeException cause ? cause : failure;
    }
  }

  /// Next element of a queue.
  public static <T> T take(BlockingQueue<T> queue) {
    try {
      var next = queue.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      if (next == null) {
        throw new AssertionError("nothing came within " + PATIENCE);
      }
      return next;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// Polls until a condition without notification holds.
  public static void until(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("not within " + PATIENCE + ": " + what);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
    }
  }
}
