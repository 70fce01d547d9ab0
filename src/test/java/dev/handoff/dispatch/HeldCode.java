package dev.handoff.dispatch;

import dev.handoff.job.Json;
import dev.handoff.testing.Soon;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;

/// Code of attempts that a test takes by the hand. Does not look at its token; obeys an interrupt
/// unless it is stubborn.
final class HeldCode implements AttemptCode.Body {

  private final BlockingQueue<Going> started = new LinkedBlockingQueue<>();
  private final boolean stubborn;

  HeldCode(boolean stubborn) {
    this.stubborn = stubborn;
  }

  /// An attempt that runs.
  record Going(Attempt attempt, CompletableFuture<Json> end, CountDownLatch interrupted) {

    void ends() {
      end.complete(Json.NULL);
    }

    void fails(Throwable failure) {
      end.completeExceptionally(failure);
    }
  }

  @Override
  public Json run(Attempt attempt) throws Exception {
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
    return Soon.take(started);
  }

  boolean isQuiet() {
    return started.isEmpty();
  }
}
