package dev.handoff.testing;

import dev.handoff.JobContext;
import dev.handoff.JobHandler;
import dev.handoff.job.Json;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/// A handler that a test takes by the hand: each attempt goes on when the test says so. An attempt
/// obeys an interrupt, but not a cancel alone.
public final class Held implements JobHandler<Json> {

  private final BlockingQueue<Attempt> started = new LinkedBlockingQueue<>();

  /// An attempt that is running.
  public record Attempt(Json payload, JobContext job, CompletableFuture<@Nullable Object> end) {

    public void succeed(@Nullable Object result) {
      end.complete(result);
    }

    public void fail(String message) {
      end.completeExceptionally(new IllegalStateException(message));
    }
  }

  @Override
  public @Nullable Object handle(Json payload, JobContext job) throws Exception {
    var attempt = new Attempt(payload, job, new CompletableFuture<>());
    started.add(attempt);
    try {
      return attempt.end().get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception failure ? failure : e;
    }
  }

  /// The next attempt that starts.
  public Attempt next() {
    return Soon.take(started);
  }

  /// How many have started and were not asked for.
  public int waiting() {
    return started.size();
  }
}
