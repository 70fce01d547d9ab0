package dev.handoff.engine;

import dev.handoff.plan.PlanEnvironment;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.change.BodyCodec;
import dev.handoff.plan.change.Seal;
import dev.handoff.plan.change.SetBody;
import dev.handoff.store.Store;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/// Stores what changesets hold: encoded and packed on threads of their own, for they may be large.
record Bodies(Store store, Executor threads) implements PlanEnvironment.Keeper {

  @Override
  public CompletionStage<String> keep(PlanId owner, SetBody body) {
    return CompletableFuture.supplyAsync(() -> BodyCodec.encode(body), threads)
        .thenCompose(bytes -> keep(bytes));
  }

  private CompletionStage<String> keep(byte[] bytes) {
    var sha256 = Seal.of(bytes);
    return store.putBlobs(Map.of(sha256, bytes)).thenApply(done -> sha256);
  }
}
