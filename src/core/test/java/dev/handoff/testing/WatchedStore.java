package dev.handoff.testing;

import dev.handoff.JobId;
import dev.handoff.internal.engine.FactFolding;
import dev.handoff.internal.job.JobFact;
import dev.handoff.internal.ledger.FactCodec;
import dev.handoff.internal.ledger.StoredFacts;
import dev.handoff.internal.store.Store;
import dev.handoff.internal.store.StoreBatch;
import dev.handoff.internal.store.WriteResult;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/// Store that records every job fact in a [ObservedHistory], after its commit and before any
/// acknowledgement.
public final class WatchedStore extends StoreAround {

  private final FactCodec codec = FactFolding.codec();
  private final ObservedHistory history;
  private final Map<Integer, Long> noted = new ConcurrentHashMap<>();

  public WatchedStore(Store inner, ObservedHistory history) {
    super(inner);
    this.history = history;
  }

  @Override
  public CompletionStage<WriteResult> write(StoreBatch batch) {
    return super.write(batch)
        .thenApply(
            result -> {
              if (result instanceof WriteResult.Written && isNew(batch)) {
                note(batch);
              }
              return result;
            });
  }

  /// Whether the batch was not recorded before. A batch with unknown outcome is written again.
  private boolean isNew(StoreBatch batch) {
    var before = noted.put(batch.partition(), batch.seq());
    return before == null || before < batch.seq();
  }

  private void note(StoreBatch batch) {
    for (var stored : StoredFacts.in(batch.facts(), codec)) {
      if (stored.event() instanceof JobFact fact) {
        history.written(new JobId(stored.entity()), fact);
      }
    }
  }
}
