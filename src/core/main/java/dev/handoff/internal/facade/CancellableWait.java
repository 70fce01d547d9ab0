package dev.handoff.internal.facade;

import dev.handoff.cancel.CancellationToken;
import dev.handoff.cancel.CancelledException;
import dev.handoff.internal.ask.CallbackThreads;
import dev.handoff.internal.ask.EngineStage;
import dev.handoff.internal.ask.StageFailures;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Blocking wait of a handler's thread for a stage or a cancel.
public final class CancellableWait {

  private CancellableWait() {}

  /// Value of a stage; a failure is thrown unwrapped, a checked one in an [IllegalStateException].
  ///
  /// @throws CancelledException if the token is cancelled first
  public static <T> T until(CompletionStage<T> stage, CancellationToken stop)
      throws InterruptedException {
    try {
      return value(stage, stop);
    } catch (ExecutionException failed) {
      throw unchecked(failed.getCause());
    }
  }

  /// Value of a stage that has checked failures. A cancel wins over a value that is there.
  ///
  /// @throws CancelledException if the token is cancelled
  /// @throws Exception failure of the stage, unwrapped
  public static <T> T untilOrFail(CompletionStage<T> stage, CancellationToken stop)
      throws Exception {
    try {
      var value = value(stage, stop);
      stop.throwIfCancelled();
      return value;
    } catch (ExecutionException failed) {
      throw StageFailures.cause(failed.getCause()) instanceof Exception own
          ? own
          : unchecked(failed.getCause());
    }
  }

  private static <T> T value(CompletionStage<T> stage, CancellationToken stop)
      throws InterruptedException, ExecutionException {
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
    failOnCancel(over, stop);
    return over.get();
  }

  /// Pauses the thread.
  ///
  /// @throws CancelledException if the token is cancelled first
  public static void pause(Duration length, CancellationToken stop) throws InterruptedException {
    var over = new CompletableFuture<Boolean>();
    failOnCancel(over, stop);
    try {
      over.get(length.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException onTime) {
      // The end of the pause.
    } catch (ExecutionException failed) {
      throw unchecked(failed.getCause());
    } finally {
      over.complete(true);
    }
  }

  private static void failOnCancel(CompletableFuture<?> over, CancellationToken stop) {
    stop.onCancelUntil(
        over,
        CallbackThreads.answers(),
        why -> over.completeExceptionally(new CancelledException(why)));
  }

  private static RuntimeException unchecked(Throwable failure) {
    return switch (StageFailures.cause(failure)) {
      case RuntimeException own -> own;
      case Error error -> throw error;
      case Throwable other -> new IllegalStateException(other);
    };
  }
}
