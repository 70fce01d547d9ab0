package dev.handoff.handlers;

import dev.handoff.JobHandler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Handler call on a separate thread, as a worker makes it.
record RunningHandler(Thread thread, CompletableFuture<@Nullable Object> end) {

  static <T> RunningHandler start(JobHandler<T> handler, T payload, FakeJob job) {
    var end = new CompletableFuture<@Nullable Object>();
    var thread =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    end.complete(handler.handle(payload, job));
                  } catch (Throwable failure) {
                    end.completeExceptionally(failure);
                  }
                });
    return new RunningHandler(thread, end);
  }

  /// Waits for the handler's exception.
  Throwable failure() throws InterruptedException, TimeoutException {
    try {
      throw new AssertionError("returned " + end.get(30, TimeUnit.SECONDS));
    } catch (ExecutionException failed) {
      return failed.getCause();
    }
  }
}
