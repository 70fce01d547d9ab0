package dev.handoff.internal.facade;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Wait with a time limit. An interrupt does not shorten the wait; the thread's interrupt flag is
/// restored at the end.
public final class BoundedWait {

  private BoundedWait() {}

  /// @return whether the stage has completed, normally or exceptionally
  public static boolean forEnd(CompletionStage<?> stage, Duration patience) {
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
