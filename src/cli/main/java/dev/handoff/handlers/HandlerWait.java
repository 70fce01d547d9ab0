package dev.handoff.handlers;

import dev.handoff.JobContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/// Wait for a future or a cancel, whichever comes first.
final class HandlerWait {

  private HandlerWait() {}

  /// @throws dev.handoff.cancel.CancelledException if the job was asked to stop
  /// @throws Exception failure of the future
  static void until(CompletableFuture<?> stage, JobContext job) throws Exception {
    try {
      CompletableFuture.anyOf(stage, job.cancellation().asStage().toCompletableFuture()).get();
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof Exception cause ? cause : failed;
    }
    job.cancellation().throwIfCancelled();
  }
}
