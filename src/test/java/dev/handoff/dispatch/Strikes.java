package dev.handoff.dispatch;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Messages that their receiver fails at with an `Error`.
public final class Strikes {

  private Strikes() {}

  /// For a worker, whatever it is doing.
  public static Object atWorker(Error error) {
    return new Worker.Unpark(
        -1,
        new CompletableFuture<>() {
          @Override
          public boolean complete(@Nullable Void value) {
            throw error;
          }
        });
  }
}
