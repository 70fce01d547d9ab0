package dev.handoff;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// A wait that ends, whatever becomes of what it waits for. An interrupt does not shorten it, and
/// is not lost.
final class BoundedWait {

  private BoundedWait() {}

  /// @return whether the stage has completed, however that was
  static boolean forEnd(CompletionStage<?> stage, Duration patience) {
    var future = stage.toCompletableFuture();
    long end = System.nanoTime() + patience.toNanos();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          future.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
          return true;
        } catch (InterruptedException notNow) {
          interrupted = true;
        }
      }
    } catch (ExecutionException | CancellationException completed) {
      return true;
    } catch (TimeoutException over) {
      return false;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
