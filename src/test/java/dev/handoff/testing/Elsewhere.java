package dev.handoff.testing;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/// What a test has done on a thread of its own, because it waits there.
public final class Elsewhere {

  private Elsewhere() {}

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
