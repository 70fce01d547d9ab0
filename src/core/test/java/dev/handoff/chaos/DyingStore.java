package dev.handoff.chaos;

import dev.handoff.internal.engine.FactFolding;
import dev.handoff.internal.job.JobFact;
import dev.handoff.internal.ledger.FactCodec;
import dev.handoff.internal.ledger.StoredEvent;
import dev.handoff.internal.ledger.StoredFacts;
import dev.handoff.internal.store.BlobUse;
import dev.handoff.internal.store.HistoryRow;
import dev.handoff.internal.store.PartitionOwnership;
import dev.handoff.internal.store.Store;
import dev.handoff.internal.store.StoreBatch;
import dev.handoff.internal.store.StoredBlob;
import dev.handoff.internal.store.WriteResult;
import dev.handoff.testing.StoreAround;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/// Store that simulates the death of its engine at one point: later calls neither read nor write,
/// and the last write is not acknowledged. Stored content remains for the next engine.
final class DyingStore extends StoreAround {

  /// Point of death.
  ///
  /// @param after whether the call at that point is executed first
  /// @param what kind of fact, such as `plan Ended` or `job Succeeded`; or `contents`
  /// @param time which occurrence, from 1
  record Point(boolean after, String what, int time) {
    static final Point NEVER = new Point(false, "nothing", 0);
  }

  private final FactCodec codec = FactFolding.codec();
  private final Point point;
  private final AtomicInteger seen = new AtomicInteger();
  private final CompletableFuture<Void> dead = new CompletableFuture<>();

  DyingStore(Store inner, Point point) {
    super(inner);
    this.point = point;
  }

  /// Completes when the point is reached.
  CompletableFuture<Void> death() {
    return dead;
  }

  boolean isDead() {
    return dead.isDone();
  }

  static String name(StoredEvent fact) {
    return (fact instanceof JobFact ? "job " : "plan ") + fact.getClass().getSimpleName();
  }

  @Override
  public CompletionStage<WriteResult> write(StoreBatch batch) {
    var fenced = CompletableFuture.<WriteResult>completedStage(new WriteResult.Fenced("death"));
    if (isDead()) {
      return fenced;
    }
    boolean here =
        StoredFacts.in(batch.facts(), codec).stream()
            .anyMatch(fact -> name(fact.event()).equals(point.what()));
    if (!here || seen.incrementAndGet() != point.time()) {
      return super.write(batch);
    }
    if (!point.after()) {
      dead.complete(null);
      return fenced;
    }
    return super.write(batch)
        .thenCompose(
            written -> {
              dead.complete(null);
              return fenced;
            });
  }

  @Override
  public CompletionStage<List<Set<String>>> keepBlobs(List<BlobUse> asked) {
    if (isDead()) {
      return gone();
    }
    if (!point.what().equals("contents") || seen.incrementAndGet() != point.time()) {
      return super.keepBlobs(asked);
    }
    if (!point.after()) {
      dead.complete(null);
      return gone();
    }
    return super.keepBlobs(asked)
        .thenCompose(
            kept -> {
              dead.complete(null);
              return gone();
            });
  }

  private static <T> CompletionStage<T> gone() {
    return CompletableFuture.failedStage(new IllegalStateException("it is dead"));
  }

  @Override
  public CompletionStage<PartitionOwnership> takeOver(int partition, String owner) {
    return isDead() ? gone() : super.takeOver(partition, owner);
  }

  @Override
  public CompletionStage<Optional<HistoryRow>> find(String id) {
    return isDead() ? gone() : super.find(id);
  }

  @Override
  public CompletionStage<Map<String, StoredBlob>> blobs(Collection<String> sha256s) {
    return isDead() ? gone() : super.blobs(sha256s);
  }

  /// Leaves the inner store open for the next engine.
  @Override
  public void close() {}
}
