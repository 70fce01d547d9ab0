package dev.handoff.ledger;

import dev.handoff.store.Store;
import dev.handoff.store.WriteResult;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/// What every ledger of an engine works with.
///
/// @param cpu runs the encoding of checkpoints, beside the actors
public record LedgerEnvironment(
    Store store, FactCodec codec, Fold fold, LedgerSettings settings, Executor cpu) {

  <T> CompletionStage<T> compute(Supplier<T> work) {
    try {
      return CompletableFuture.supplyAsync(work, cpu);
    } catch (RejectedExecutionException closing) {
      return CompletableFuture.failedStage(closing);
    }
  }

  /// A write that failed without an answer: whether it was made is not known.
  CompletionStage<WriteResult> answered(CompletionStage<WriteResult> write) {
    return write.exceptionally(
        failure ->
            new WriteResult.Away(
                String.valueOf(cause(failure).getMessage()), settings.retryAfter()));
  }

  /// What a stage has failed with, without the wrapper that it may come in.
  static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }
}
