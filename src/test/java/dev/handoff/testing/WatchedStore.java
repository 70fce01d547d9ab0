package dev.handoff.testing;

import dev.handoff.engine.Facts;
import dev.handoff.job.JobFact;
import dev.handoff.job.JobId;
import dev.handoff.ledger.FactCodec;
import dev.handoff.ledger.StoredFacts;
import dev.handoff.store.Batch;
import dev.handoff.store.Store;
import dev.handoff.store.WriteResult;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/// Notes every fact of a job in a [History], when it is durable and before anybody is told.
public final class WatchedStore extends StoreAround {

  private final FactCodec codec = Facts.codec();
  private final History history;
  private final Map<Integer, Long> noted = new ConcurrentHashMap<>();

  public WatchedStore(Store inner, History history) {
    super(inner);
    this.history = history;
  }

  @Override
  public CompletionStage<WriteResult> write(Batch batch) {
    return super.write(batch)
        .thenApply(
            result -> {
              if (result instanceof WriteResult.Written && isNew(batch)) {
                note(batch);
              }
              return result;
            });
  }

  /// A batch whose outcome was unknown is handed in again.
  private boolean isNew(Batch batch) {
    var before = noted.put(batch.partition(), batch.seq());
    return before == null || before < batch.seq();
  }

  private void note(Batch batch) {
    for (var stored : StoredFacts.in(batch.facts(), codec)) {
      if (stored.event() instanceof JobFact fact) {
        history.written(new JobId(stored.entity()), fact);
      }
    }
  }
}
