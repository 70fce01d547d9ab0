package dev.handoff.testing;

import dev.handoff.StoreInfo;
import dev.handoff.internal.store.BlobUse;
import dev.handoff.internal.store.CheckpointChunk;
import dev.handoff.internal.store.ForgetProgress;
import dev.handoff.internal.store.ForgetSlice;
import dev.handoff.internal.store.HistoryQuery;
import dev.handoff.internal.store.HistoryRow;
import dev.handoff.internal.store.KeyHolder;
import dev.handoff.internal.store.PartitionOwnership;
import dev.handoff.internal.store.PartitionReplay;
import dev.handoff.internal.store.Store;
import dev.handoff.internal.store.StoreBatch;
import dev.handoff.internal.store.StoredBlob;
import dev.handoff.internal.store.WriteResult;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/// Store that delegates every call to another store: base class for stores with faults.
public class StoreAround implements Store {

  protected final Store inner;

  public StoreAround(Store inner) {
    this.inner = inner;
  }

  @Override
  public StoreInfo info() {
    return inner.info();
  }

  @Override
  public CompletionStage<PartitionOwnership> takeOver(int partition, String owner) {
    return inner.takeOver(partition, owner);
  }

  @Override
  public CompletionStage<WriteResult> write(StoreBatch batch) {
    return inner.write(batch);
  }

  @Override
  public CompletionStage<WriteResult> writeChunk(CheckpointChunk chunk) {
    return inner.writeChunk(chunk);
  }

  @Override
  public CompletionStage<Boolean> trim(int partition, long incarnation, int limit) {
    return inner.trim(partition, incarnation, limit);
  }

  @Override
  public CompletionStage<PartitionReplay.Page> replay(
      int partition, PartitionReplay.Position from) {
    return inner.replay(partition, from);
  }

  @Override
  public CompletionStage<Optional<HistoryRow>> find(String id) {
    return inner.find(id);
  }

  @Override
  public CompletionStage<List<HistoryRow>> list(HistoryQuery query) {
    return inner.list(query);
  }

  @Override
  public CompletionStage<Map<String, KeyHolder>> findKeys(Collection<String> keys) {
    return inner.findKeys(keys);
  }

  @Override
  public CompletionStage<Integer> forget(Instant finishedBefore, int limit) {
    return inner.forget(finishedBefore, limit);
  }

  @Override
  public CompletionStage<ForgetProgress> forget(ForgetSlice slice) {
    return inner.forget(slice);
  }

  @Override
  public CompletionStage<Integer> forgetKeys(Instant endedBefore, int limit) {
    return inner.forgetKeys(endedBefore, limit);
  }

  @Override
  public CompletionStage<Map<String, Long>> historyCounts() {
    return inner.historyCounts();
  }

  @Override
  public CompletionStage<List<Set<String>>> keepBlobs(List<BlobUse> asked) {
    return inner.keepBlobs(asked);
  }

  @Override
  public CompletionStage<Map<String, StoredBlob>> blobs(Collection<String> sha256s) {
    return inner.blobs(sha256s);
  }

  @Override
  public void close() {
    inner.close();
  }
}
