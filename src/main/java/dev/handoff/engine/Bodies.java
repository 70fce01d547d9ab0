package dev.handoff.engine;

import dev.handoff.plan.PlanEnvironment;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.change.BodyCodec;
import dev.handoff.plan.change.SetBody;
import dev.handoff.store.Blob;
import dev.handoff.store.Keeping;
import dev.handoff.store.Store;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/// Stores what changesets hold: encoded and packed on threads of their own, for they may be large.
record Bodies(Store store, Executor threads) implements PlanEnvironment.Keeper {

  @Override
  public CompletionStage<String> keep(PlanId owner, SetBody body) {
    return CompletableFuture.supplyAsync(() -> Blob.of(BodyCodec.encode(body)), threads)
        .thenCompose(blob -> keep(owner, blob));
  }

  private CompletionStage<String> keep(PlanId owner, Blob blob) {
    var keeping = new Keeping(owner.value(), List.of(blob), Set.of());
    return store.keepBlobs(List.of(keeping)).thenApply(kept -> blob.sha256());
  }
}
