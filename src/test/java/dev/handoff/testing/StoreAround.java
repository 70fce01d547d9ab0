package dev.handoff.testing;

import dev.handoff.store.Batch;
import dev.handoff.store.CheckpointChunk;
import dev.handoff.store.ForgetSlice;
import dev.handoff.store.Forgotten;
import dev.handoff.store.HistoryQuery;
import dev.handoff.store.HistoryRow;
import dev.handoff.store.Keeping;
import dev.handoff.store.KeyHolder;
import dev.handoff.store.Ownership;
import dev.handoff.store.Replay;
import dev.handoff.store.Store;
import dev.handoff.store.StoreInfo;
import dev.handoff.store.StoredBlob;
import dev.handoff.store.WriteResult;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/// A store around another one, which changes nothing: to be changed where a test needs it.
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
  public CompletionStage<Ownership> takeOver(int partition, String owner) {
    return inner.takeOver(partition, owner);
  }

  @Override
  public CompletionStage<WriteResult> write(Batch batch) {
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
  public CompletionStage<Replay.Page> replay(int partition, Replay.Position from) {
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
  public CompletionStage<Forgotten> forget(ForgetSlice slice) {
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
  public CompletionStage<List<Set<String>>> keepBlobs(List<Keeping> asked) {
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
