package dev.handoff.internal.ledger;

import dev.handoff.internal.ask.StageFailures;
import dev.handoff.internal.store.Store;
import dev.handoff.internal.store.WriteResult;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/// Collaborators of all ledgers of an engine.
///
/// @param cpu executor that encodes checkpoints outside the actors
public record LedgerEnvironment(
    Store store, FactCodec codec, StateFold fold, LedgerSettings settings, Executor cpu) {

  <T> CompletionStage<T> compute(Supplier<T> work) {
    try {
      return CompletableFuture.supplyAsync(work, cpu);
    } catch (RejectedExecutionException closing) {
      return CompletableFuture.failedStage(closing);
    }
  }

  /// Converts a failed write into an unknown outcome: the store may have committed it.
  CompletionStage<WriteResult> answered(CompletionStage<WriteResult> write) {
    return write.exceptionally(
        failure ->
            new WriteResult.Away(
                String.valueOf(StageFailures.cause(failure).getMessage()), settings.retryAfter()));
  }
}
