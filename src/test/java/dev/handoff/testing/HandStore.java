package dev.handoff.testing;

import static org.assertj.core.api.Assertions.assertThat;

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

/// A store that does nothing by itself: a test takes each call as it comes, and answers it when and
/// how it likes.
public final class HandStore implements Store {

  private static final long PATIENCE_SECONDS = 10;

  /// What was asked of the store, and where the answer goes.
  public record Call<Q, A>(Q question, CompletableFuture<A> answer) {

    public void answer(A result) {
      answer.complete(result);
    }

    public void fail(Throwable failure) {
      answer.completeExceptionally(failure);
    }
  }

  public record Trim(int partition, long incarnation, int limit) {}

  public record Keepings(List<Keeping> asked) {}

  public record Wanted(Collection<String> sha256s) {}

  private final BlockingQueue<Call<?, ?>> calls = new LinkedBlockingQueue<>();

  public Call<Integer, Ownership> nextTakeOver() {
    return next(Integer.class);
  }

  public Call<Batch, WriteResult> nextWrite() {
    return next(Batch.class);
  }

  public Call<CheckpointChunk, WriteResult> nextChunk() {
    return next(CheckpointChunk.class);
  }

  public Call<Trim, Boolean> nextTrim() {
    return next(Trim.class);
  }

  public Call<Replay.Position, Replay.Page> nextReplay() {
    return next(Replay.Position.class);
  }

  public Call<Keepings, List<Set<String>>> nextKeepings() {
    return next(Keepings.class);
  }

  public Call<Wanted, Map<String, StoredBlob>> nextWanted() {
    return next(Wanted.class);
  }

  /// Takes the next call, and says that the batch is durable.
  public Batch write() {
    var call = nextWrite();
    call.answer(new WriteResult.Written(call.question().seq()));
    return call.question();
  }

  /// Nobody is waiting for an answer.
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
  public CompletionStage<Ownership> takeOver(int partition, String owner) {
    return ask(partition);
  }

  @Override
  public CompletionStage<WriteResult> write(Batch batch) {
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
  public CompletionStage<Replay.Page> replay(int partition, Replay.Position from) {
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
  public CompletionStage<Forgotten> forget(ForgetSlice slice) {
    return CompletableFuture.completedStage(new Forgotten(slice.after(), false));
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
  public CompletionStage<List<Set<String>>> keepBlobs(List<Keeping> asked) {
    return ask(new Keepings(asked));
  }

  @Override
  public CompletionStage<Map<String, StoredBlob>> blobs(Collection<String> sha256s) {
    return ask(new Wanted(sha256s));
  }

  @Override
  public void close() {}

  /// A short time to wait before the next try.
  public static WriteResult away(String reason) {
    return new WriteResult.Away(reason, Duration.ofMillis(5));
  }
}
