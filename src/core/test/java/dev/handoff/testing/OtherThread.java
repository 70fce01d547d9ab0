package dev.handoff.testing;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/// Runs blocking code of a test on a virtual thread.
public final class OtherThread {

  private OtherThread() {}

  public static <T> CompletableFuture<T> call(Callable<T> code) {
    var done = new CompletableFuture<T>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                done.complete(code.call());
              } catch (Throwable failure) {
                done.completeExceptionally(failure);
              }
            });
    return done;
  }
}
