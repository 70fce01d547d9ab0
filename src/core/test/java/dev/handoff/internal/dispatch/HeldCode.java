package dev.handoff.internal.dispatch;

import dev.handoff.Json;
import dev.handoff.testing.BoundedWaits;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;

/// Attempt code under manual control. Ignores its cancellation token; obeys an interrupt unless
/// stubborn.
final class HeldCode implements AttemptCode.Body {

  private final BlockingQueue<Going> started = new LinkedBlockingQueue<>();
  private final boolean stubborn;

  HeldCode(boolean stubborn) {
    this.stubborn = stubborn;
  }

  /// Running attempt.
  record Going(HandlerAttempt attempt, CompletableFuture<Json> end, CountDownLatch interrupted) {

    void ends() {
      end.complete(Json.NULL);
    }

    void fails(Throwable failure) {
      end.completeExceptionally(failure);
    }
  }

  @Override
  public Json run(HandlerAttempt attempt) throws Exception {
    var going = new Going(attempt, new CompletableFuture<>(), new CountDownLatch(1));
    started.add(going);
    while (true) {
      try {
        return going.end().get();
      } catch (InterruptedException asked) {
        going.interrupted().countDown();
        if (!stubborn) {
          throw asked;
        }
      } catch (ExecutionException failed) {
        if (failed.getCause() instanceof Error error) {
          throw error;
        }
        throw failed;
      }
    }
  }

  Going next() {
    return BoundedWaits.take(started);
  }

  boolean isQuiet() {
    return started.isEmpty();
  }
}
