package dev.handoff.internal.dispatch.worker;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Messages that make their receiver throw an `Error`.
public final class FailingMessages {

  private FailingMessages() {}

  /// Message for a worker in any state.
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
