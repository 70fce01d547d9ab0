package dev.handoff.testing;

import dev.handoff.store.Batch;
import dev.handoff.store.HistoryRow;
import dev.handoff.store.KeyHolder;
import dev.handoff.store.Ownership;
import dev.handoff.store.Store;
import dev.handoff.store.StoreException;
import dev.handoff.store.WriteResult;
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

/// A store whose batches and look-ups a test can hold back, fail, or take away.
public final class HeldStore extends StoreAround {

  /// A call that waits for the test.
  public record Call<T>(Supplier<CompletionStage<T>> work, CompletableFuture<T> answer) {

    /// Does what was asked.
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
  private final BlockingQueue<Call<Ownership>> takeOvers = new LinkedBlockingQueue<>();
  private volatile boolean holdsWrites;
  private volatile boolean holdsTakeOvers;
  private volatile boolean holdsLookups;
  private final AtomicInteger found = new AtomicInteger();
  private volatile boolean away;

  public HeldStore(Store inner) {
    super(inner);
  }

  /// From now on batches wait for [#nextWrite].
  public void holdWrites() {
    holdsWrites = true;
  }

  /// From now on whoever takes a partition over waits for [#nextTakeOver].
  public void holdTakeOvers() {
    holdsTakeOvers = true;
  }

  public Call<Ownership> nextTakeOver() {
    return Soon.take(takeOvers);
  }

  /// From now on questions to history wait for [#nextFind] and [#nextKeys].
  public void holdLookups() {
    holdsLookups = true;
  }

  /// From now on everything is answered as by a store that cannot be reached, until [#back].
  public void goAway() {
    away = true;
  }

  public void back() {
    away = false;
  }

  public Call<WriteResult> nextWrite() {
    return Soon.take(writes);
  }

  /// How many batches wait.
  public int heldWrites() {
    return writes.size();
  }

  public Call<Optional<HistoryRow>> nextFind() {
    return Soon.take(finds);
  }

  public Call<Map<String, KeyHolder>> nextKeys() {
    return Soon.take(keys);
  }

  /// How often history was asked for an id.
  public int finds() {
    return found.get();
  }

  /// Lets everything go that was held, and holds nothing any more.
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
  public CompletionStage<Ownership> takeOver(int partition, String owner) {
    return held(holdsTakeOvers, takeOvers, () -> super.takeOver(partition, owner));
  }

  @Override
  public CompletionStage<WriteResult> write(Batch batch) {
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

  /// Cannot be caught out by a hold that nobody lets go.
  @Override
  public void close() {
    release();
    super.close();
  }
}
