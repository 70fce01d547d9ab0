package dev.handoff.handlers;

import dev.handoff.JobContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/// Waits for something, or for a cancel, whichever comes first.
final class Waiting {

  private Waiting() {}

  /// @throws dev.handoff.cancel.CancelledException if the job was asked to stop
  /// @throws Exception what the stage failed with
  static void until(CompletableFuture<?> stage, JobContext job) throws Exception {
    try {
      CompletableFuture.anyOf(stage, job.cancellation().asStage().toCompletableFuture()).get();
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof Exception cause ? cause : failed;
    }
    job.cancellation().throwIfCancelled();
  }
}
