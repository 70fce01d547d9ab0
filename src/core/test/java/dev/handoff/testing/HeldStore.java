package dev.handoff.testing;

import dev.handoff.StoreException;
import dev.handoff.internal.store.HistoryRow;
import dev.handoff.internal.store.KeyHolder;
import dev.handoff.internal.store.PartitionOwnership;
import dev.handoff.internal.store.Store;
import dev.handoff.internal.store.StoreBatch;
import dev.handoff.internal.store.WriteResult;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/// Store whose batches and look-ups a test can hold back, fail, or make unreachable.
public final class HeldStore extends StoreAround {

  /// Call that waits for the test.
  public record Call<T>(Supplier<CompletionStage<T>> work, CompletableFuture<T> answer) {

    /// Executes the call and answers it.
    public void go() {
      work.get()
          .whenComplete(
              (result, failure) -> {
                if (failure == null) {
                  answer.complete(result);
                } else {
                  answer.completeExceptionally(failure);
                }
              });
    }

    public void answer(T instead) {
      answer.complete(instead);
    }

    public void fail(Throwable failure) {
      answer.completeExceptionally(failure);
    }
  }

  private final BlockingQueue<Call<WriteResult>> writes = new LinkedBlockingQueue<>();
  private final BlockingQueue<Call<Optional<HistoryRow>>> finds = new LinkedBlockingQueue<>();
  private final BlockingQueue<Call<Map<String, KeyHolder>>> keys = new LinkedBlockingQueue<>();
  private final BlockingQueue<Call<PartitionOwnership>> takeOvers = new LinkedBlockingQueue<>();
  private volatile boolean holdsWrites;
  private volatile boolean holdsTakeOvers;
  private volatile boolean holdsLookups;
  private final AtomicInteger found = new AtomicInteger();
  private volatile boolean away;

  public HeldStore(Store inner) {
    super(inner);
  }

  /// Holds later batches for [#nextWrite].
  public void holdWrites() {
    holdsWrites = true;
  }

  /// Holds later take-overs of partitions for [#nextTakeOver].
  public void holdTakeOvers() {
    holdsTakeOvers = true;
  }

  public Call<PartitionOwnership> nextTakeOver() {
    return BoundedWaits.take(takeOvers);
  }

  /// Holds later history queries for [#nextFind] and [#nextKeys].
  public void holdLookups() {
    holdsLookups = true;
  }

  /// Answers later writes and look-ups like an unreachable store, until [#back].
  public void goAway() {
    away = true;
  }

  public void back() {
    away = false;
  }

  public Call<WriteResult> nextWrite() {
    return BoundedWaits.take(writes);
  }

  /// Number of held batches.
  public int heldWrites() {
    return writes.size();
  }

  public Call<Optional<HistoryRow>> nextFind() {
    return BoundedWaits.take(finds);
  }

  public Call<Map<String, KeyHolder>> nextKeys() {
    return BoundedWaits.take(keys);
  }

  /// Number of history queries for an id.
  public int finds() {
    return found.get();
  }

  /// Executes all held calls, and holds no further ones.
  public void release() {
    holdsWrites = false;
    holdsLookups = false;
    holdsTakeOvers = false;
    List.of(writes, finds, keys, takeOvers).forEach(HeldStore::goAll);
  }

  private static <T extends Call<?>> void goAll(BlockingQueue<T> calls) {
    var all = new ArrayList<T>();
    calls.drainTo(all);
    all.forEach(Call::go);
  }

  @Override
  public CompletionStage<PartitionOwnership> takeOver(int partition, String owner) {
    return held(holdsTakeOvers, takeOvers, () -> super.takeOver(partition, owner));
  }

  @Override
  public CompletionStage<WriteResult> write(StoreBatch batch) {
    if (away) {
      return CompletableFuture.completedStage(
          new WriteResult.Away("taken away", Duration.ofMillis(20)));
    }
    return held(holdsWrites, writes, () -> super.write(batch));
  }

  @Override
  public CompletionStage<Optional<HistoryRow>> find(String id) {
    found.incrementAndGet();
    return away ? gone() : held(holdsLookups, finds, () -> super.find(id));
  }

  @Override
  public CompletionStage<Map<String, KeyHolder>> findKeys(Collection<String> asked) {
    return away ? gone() : held(holdsLookups, keys, () -> super.findKeys(asked));
  }

  private static <T> CompletionStage<T> gone() {
    return CompletableFuture.failedStage(
        new StoreException.Unavailable("taken away", new IOException("no way to it")));
  }

  private static <T> CompletionStage<T> held(
      boolean hold, BlockingQueue<Call<T>> calls, Supplier<CompletionStage<T>> work) {
    if (!hold) {
      return work.get();
    }
    var call = new Call<>(work, new CompletableFuture<T>());
    calls.add(call);
    return call.answer();
  }

  /// Releases all held calls first, so that a forgotten hold cannot block the shutdown.
  @Override
  public void close() {
    release();
    super.close();
  }
}
