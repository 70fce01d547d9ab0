package dev.handoff.testing;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// Store without behaviour of its own: a test takes each call as it arrives, and chooses the time
/// and content of the answer.
public final class HandStore implements Store {

  private static final long PATIENCE_SECONDS = 10;

  /// Call to the store, with the future for its answer.
  public record Call<Q, A>(Q question, CompletableFuture<A> answer) {

    public void answer(A result) {
      answer.complete(result);
    }

    public void fail(Throwable failure) {
      answer.completeExceptionally(failure);
    }
  }

  public record Trim(int partition, long incarnation, int limit) {}

  public record Keepings(List<BlobUse> asked) {}

  public record Wanted(Collection<String> sha256s) {}

  private final BlockingQueue<Call<?, ?>> calls = new LinkedBlockingQueue<>();

  public Call<Integer, PartitionOwnership> nextTakeOver() {
    return next(Integer.class);
  }

  public Call<StoreBatch, WriteResult> nextWrite() {
    return next(StoreBatch.class);
  }

  public Call<CheckpointChunk, WriteResult> nextChunk() {
    return next(CheckpointChunk.class);
  }

  public Call<Trim, Boolean> nextTrim() {
    return next(Trim.class);
  }

  public Call<PartitionReplay.Position, PartitionReplay.Page> nextReplay() {
    return next(PartitionReplay.Position.class);
  }

  public Call<Keepings, List<Set<String>>> nextKeepings() {
    return next(Keepings.class);
  }

  public Call<Wanted, Map<String, StoredBlob>> nextWanted() {
    return next(Wanted.class);
  }

  /// Takes the next write and answers that the batch is durable.
  public StoreBatch write() {
    var call = nextWrite();
    call.answer(new WriteResult.Written(call.question().seq()));
    return call.question();
  }

  /// Asserts that no call waits for an answer.
  public void expectNothing() {
    assertThat(calls).isEmpty();
  }

  @SuppressWarnings("unchecked")
  private <Q, A> Call<Q, A> next(Class<Q> question) {
    try {
      var call = calls.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      assertThat(call).as("a call for a %s", question.getSimpleName()).isNotNull();
      assertThat(call.question()).isInstanceOf(question);
      return (Call<Q, A>) call;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private <A> CompletionStage<A> ask(Object question) {
    var call = new Call<>(question, new CompletableFuture<A>());
    calls.add(call);
    return call.answer();
  }

  @Override
  public StoreInfo info() {
    return new StoreInfo("hand", "a test", 1, true, false);
  }

  @Override
  public CompletionStage<PartitionOwnership> takeOver(int partition, String owner) {
    return ask(partition);
  }

  @Override
  public CompletionStage<WriteResult> write(StoreBatch batch) {
    return ask(batch);
  }

  @Override
  public CompletionStage<WriteResult> writeChunk(CheckpointChunk chunk) {
    return ask(chunk);
  }

  @Override
  public CompletionStage<Boolean> trim(int partition, long incarnation, int limit) {
    return ask(new Trim(partition, incarnation, limit));
  }

  @Override
  public CompletionStage<PartitionReplay.Page> replay(
      int partition, PartitionReplay.Position from) {
    return ask(from);
  }

  @Override
  public CompletionStage<Optional<HistoryRow>> find(String id) {
    return CompletableFuture.completedStage(Optional.empty());
  }

  @Override
  public CompletionStage<List<HistoryRow>> list(HistoryQuery query) {
    return CompletableFuture.completedStage(List.of());
  }

  @Override
  public CompletionStage<Map<String, KeyHolder>> findKeys(Collection<String> keys) {
    return CompletableFuture.completedStage(Map.of());
  }

  @Override
  public CompletionStage<Integer> forget(Instant finishedBefore, int limit) {
    return CompletableFuture.completedStage(0);
  }

  @Override
  public CompletionStage<ForgetProgress> forget(ForgetSlice slice) {
    return CompletableFuture.completedStage(new ForgetProgress(slice.after(), false));
  }

  @Override
  public CompletionStage<Integer> forgetKeys(Instant endedBefore, int limit) {
    return CompletableFuture.completedStage(0);
  }

  @Override
  public CompletionStage<Map<String, Long>> historyCounts() {
    return CompletableFuture.completedStage(Map.of());
  }

  @Override
  public CompletionStage<List<Set<String>>> keepBlobs(List<BlobUse> asked) {
    return ask(new Keepings(asked));
  }

  @Override
  public CompletionStage<Map<String, StoredBlob>> blobs(Collection<String> sha256s) {
    return ask(new Wanted(sha256s));
  }

  @Override
  public void close() {}

  /// Answer of an unreachable store, with a short retry delay.
  public static WriteResult away(String reason) {
    return new WriteResult.Away(reason, Duration.ofMillis(5));
  }
}
