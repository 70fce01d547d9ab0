package dev.handoff.cancel;

import dev.handoff.ask.AnswerStage;
import dev.handoff.ask.CallbackThreads;
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

/// The identity of one attempt with a one-way signal: it can be cancelled once, and never be
/// un-cancelled.
///
/// Safe to use from any thread. Whoever was woken by it, however that was, sees [#isCancelled()]
/// `true` from then on. A retry does not touch it: the next attempt has a token of its own.
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

  /// Why the token was cancelled; empty while it is not.
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

  /// Calls back once, on a thread for callbacks (`handoff-callback-…`), when the token is
  /// cancelled; at once when it already is. What a callback throws is logged, and neither that nor
  /// a callback that blocks keeps another one from being called, unless 256 of a JVM block.
  public void onCancel(Consumer<Cancellation> callback) {
    signal.thenAcceptAsync(why -> call(callback, why), CALLBACKS);
  }

  /// Like [#onCancel], until the given stage has completed; then nothing of it is kept, however
  /// long the token lives.
  public void onCancelUntil(CompletableFuture<?> over, Consumer<Cancellation> callback) {
    onCancelUntil(over, CALLBACKS, callback);
  }

  /// The same, on threads of the caller's choice.
  public void onCancelUntil(
      CompletableFuture<?> over, Executor threads, Consumer<Cancellation> callback) {
    // anyOf, and nothing else of its kind, takes itself off the future that has not completed.
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

  /// Waits until the token is cancelled, at most for the given time.
  ///
  /// @return whether it is cancelled
  /// @throws InterruptedException if the waiting thread is interrupted
  public boolean await(Duration atMost) throws InterruptedException {
    try {
      signal.get(TimeUnit.NANOSECONDS.convert(atMost), TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException | ExecutionException notYet) {
      return isCancelled();
    }
  }

  /// A stage that completes when the token is cancelled. Its callbacks run where those of
  /// [#onCancel] do. Completing it from outside is not possible.
  public CompletionStage<Cancellation> asStage() {
    return AnswerStage.shared(signal);
  }
}
