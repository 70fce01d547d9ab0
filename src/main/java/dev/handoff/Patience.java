package dev.handoff;

import dev.handoff.ask.CallbackThreads;
import dev.handoff.ask.EngineStage;
import dev.handoff.cancel.CancellationToken;
import dev.handoff.cancel.CancelledException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/// Waiting on a handler's own thread, for an answer or a cancel.
final class Patience {

  private Patience() {}

  /// What a stage comes to; what it fails with is thrown as it is.
  ///
  /// @throws CancelledException if the token is cancelled before
  static <T> T until(CompletionStage<T> stage, CancellationToken stop) throws InterruptedException {
    var over = new CompletableFuture<T>();
    EngineStage.whenDone(
        stage,
        (value, failure) -> {
          if (failure == null) {
            over.complete(value);
          } else {
            over.completeExceptionally(failure);
          }
        });
    stop.onCancelUntil(
        over,
        CallbackThreads.answers(),
        why -> over.completeExceptionally(new CancelledException(why)));
    try {
      return over.get();
    } catch (ExecutionException failed) {
      throw unwrapped(failed.getCause());
    }
  }

  private static RuntimeException unwrapped(Throwable failure) {
    return switch (failure) {
      case CompletionException wrapper when wrapper.getCause() != null ->
          unwrapped(wrapper.getCause());
      case RuntimeException own -> own;
      case Error error -> throw error;
      case Throwable other -> new IllegalStateException(other);
    };
  }
}
