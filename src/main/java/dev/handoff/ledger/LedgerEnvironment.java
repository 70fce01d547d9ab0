package dev.handoff.ledger;

import dev.handoff.store.Store;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/// What every ledger of an engine works with.
///
/// @param cpu runs the encoding of checkpoints, beside the actors
public record LedgerEnvironment(Store store, FactCodec codec, Fold fold, LedgerSettings settings, Executor cpu) {

  <T> CompletionStage<T> compute(Supplier<T> work) {
    return CompletableFuture.supplyAsync(work, cpu);
  }
}
