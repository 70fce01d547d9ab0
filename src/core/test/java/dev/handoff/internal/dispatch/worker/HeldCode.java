package dev.handoff.internal.dispatch.worker;

import dev.handoff.Json;
import dev.handoff.testing.BoundedWaits;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;

/// Attempt code under manual control. Ignores its cancellation token; obeys an interrupt unless
/// stubborn.
public final class HeldCode implements AttemptCode.Body {

  private final BlockingQueue<Going> started = new LinkedBlockingQueue<>();
  private final boolean stubborn;

  public HeldCode(boolean stubborn) {
    this.stubborn = stubborn;
  }

  /// Running attempt.
  public record Going(
      HandlerAttempt attempt, CompletableFuture<Json> end, CountDownLatch interrupted) {

    public void ends() {
      end.complete(Json.NULL);
    }

    public void fails(Throwable failure) {
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

  public Going next() {
    return BoundedWaits.take(started);
  }

  public boolean isQuiet() {
    return started.isEmpty();
  }
}
