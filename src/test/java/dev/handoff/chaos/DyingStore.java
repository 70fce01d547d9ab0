package dev.handoff.chaos;

import dev.handoff.engine.Facts;
import dev.handoff.job.JobFact;
import dev.handoff.ledger.FactCodec;
import dev.handoff.ledger.StoredEvent;
import dev.handoff.ledger.StoredFacts;
import dev.handoff.store.Batch;
import dev.handoff.store.HistoryRow;
import dev.handoff.store.Keeping;
import dev.handoff.store.Ownership;
import dev.handoff.store.Store;
import dev.handoff.store.StoredBlob;
import dev.handoff.store.WriteResult;
import dev.handoff.testing.StoreAround;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/// A store that takes its engine's life at one point, as if the process had been killed: from then
/// on the engine neither reads nor writes, and nobody is told of what was written last. What is
/// stored stays, for the next engine.
final class DyingStore extends StoreAround {

  /// Where to die.
  ///
  /// @param after whether what was asked for is done before
  /// @param what the kind of a fact, such as `plan Ended` or `job Succeeded`; or `contents`
  /// @param time at which of them
  record Point(boolean after, String what, int time) {
    static final Point NEVER = new Point(false, "nothing", 0);
  }

  private final FactCodec codec = Facts.codec();
  private final Point point;
  private final AtomicInteger seen = new AtomicInteger();
  private final CompletableFuture<Void> dead = new CompletableFuture<>();

  DyingStore(Store inner, Point point) {
    super(inner);
    this.point = point;
  }

  /// Completes when it has struck.
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
  public CompletionStage<WriteResult> write(Batch batch) {
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
  public CompletionStage<List<Set<String>>> keepBlobs(List<Keeping> asked) {
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
  public CompletionStage<Ownership> takeOver(int partition, String owner) {
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

  /// The next engine needs it.
  @Override
  public void close() {}
}
