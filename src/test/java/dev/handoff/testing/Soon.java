package dev.handoff.testing;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Waiting, in tests: for what somebody tells, or for what nobody tells of. Never for long.
public final class Soon {

  public static final Duration PATIENCE = Duration.ofSeconds(30);

  private Soon() {}

  /// The result of a stage; what it fails with is thrown as it is.
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

  /// The next of a queue.
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

  /// Looks until something has become true that nobody tells of.
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
