package dev.handoff.testing;

import dev.handoff.JobContext;
import dev.handoff.JobHandler;
import dev.handoff.Json;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/// Handler under manual control: each attempt waits until the test ends it. An attempt reacts to an
/// interrupt, but not to a cancel request alone.
public final class HeldHandler implements JobHandler<Json> {

  private final BlockingQueue<Attempt> started = new LinkedBlockingQueue<>();

  /// Running attempt.
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

  /// Waits for the next attempt that starts.
  public Attempt next() {
    return BoundedWaits.take(started);
  }

  /// Number of started attempts not yet taken with [#next].
  public int waiting() {
    return started.size();
  }
}
