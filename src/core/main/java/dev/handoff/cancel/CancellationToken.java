package dev.handoff.cancel;

import dev.handoff.internal.ask.AnswerStage;
import dev.handoff.internal.ask.CallbackThreads;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One-way cancel signal of one attempt. A cancelled token stays cancelled.
///
/// Thread-safe. After any wake-up by the token, [#isCancelled()] returns `true`. A retry does not
/// reset the token: the next attempt has its own.
public final class CancellationToken {

  private static final Logger log = LoggerFactory.getLogger(CancellationToken.class);
  private static final Executor CALLBACKS = CallbackThreads.callbacks();

  private final CompletableFuture<Cancellation> signal;

  CancellationToken(CompletableFuture<Cancellation> signal) {
    this.signal = signal;
  }

  public boolean isCancelled() {
    return signal.isDone();
  }

  /// Reason of the cancel; empty without one.
  public Optional<Cancellation> cancellation() {
    return Optional.ofNullable(signal.getNow(null));
  }

  /// @throws CancelledException if the token is cancelled
  public void throwIfCancelled() {
    cancellation()
        .ifPresent(
            why -> {
              throw new CancelledException(why);
            });
  }

  /// Registers a callback for the cancel. It runs once, on a callback thread
  /// (`handoff-callback-…`), and immediately if the token is already cancelled. An exception is
  /// logged. Neither an exception nor a blocking callback prevents other callbacks, unless all 256
  /// threads of the JVM block.
  public void onCancel(Consumer<Cancellation> callback) {
    signal.thenAcceptAsync(why -> call(callback, why), CALLBACKS);
  }

  /// Registers a callback for the time until the given stage completes. Then the registration is
  /// removed, however long the token lives.
  public void onCancelUntil(CompletableFuture<?> over, Consumer<Cancellation> callback) {
    onCancelUntil(over, CALLBACKS, callback);
  }

  /// Registers a callback with an executor of the caller's choice.
  public void onCancelUntil(
      CompletableFuture<?> over, Executor threads, Consumer<Cancellation> callback) {
    // Only `anyOf` removes its registration from the future that has not completed.
    CompletableFuture.anyOf(signal, over)
        .whenComplete(
            (first, failure) -> {
              if (first instanceof Cancellation why && !over.isDone()) {
                threads.execute(() -> call(callback, why));
              }
            });
  }

  private static void call(Consumer<Cancellation> callback, Cancellation why) {
    try {
      callback.accept(why);
    } catch (Throwable failure) {
      log.warn("a callback for a cancelled token failed", failure);
    }
  }

  /// Blocks until the token is cancelled or the time limit is reached.
  ///
  /// @return whether the token is cancelled
  /// @throws InterruptedException if the waiting thread is interrupted
  public boolean await(Duration atMost) throws InterruptedException {
    try {
      signal.get(TimeUnit.NANOSECONDS.convert(atMost), TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException | ExecutionException notYet) {
      return isCancelled();
    }
  }

  /// Stage that completes with the cancel. Its callbacks run on the same threads as those of
  /// [#onCancel]. The stage cannot be completed from outside.
  public CompletionStage<Cancellation> asStage() {
    return AnswerStage.shared(signal);
  }
}
