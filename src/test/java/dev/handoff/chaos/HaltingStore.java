package dev.handoff.chaos;

import dev.handoff.engine.Facts;
import dev.handoff.job.JobFact;
import dev.handoff.ledger.FactCodec;
import dev.handoff.ledger.StoredFacts;
import dev.handoff.store.Batch;
import dev.handoff.store.CheckpointChunk;
import dev.handoff.store.Store;
import dev.handoff.store.WriteResult;
import dev.handoff.testing.StoreAround;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/// A store that ends the JVM, without a word to anybody, at one point of its life.
final class HaltingStore extends StoreAround {

  /// What the process ends with, so that whoever started it knows that the fault struck.
  static final int EXIT_CODE = 86;

  /// Where to halt.
  ///
  /// @param after whether what was asked for is done before
  /// @param what the name of a fact, or `chunk`, `trim`, `forget`
  /// @param time at which of them
  record Point(boolean after, String what, int time) {

    /// Such as `before:claimed:3`.
    static Point parse(String text) {
      var parts = text.split(":");
      return new Point(parts[0].equals("after"), parts[1], Integer.parseInt(parts[2]));
    }

    @Override
    public String toString() {
      return (after ? "after:" : "before:") + what + ":" + time;
    }
  }

  private final FactCodec codec = Facts.codec();
  private final Point point;
  private final AtomicInteger seen = new AtomicInteger();

  HaltingStore(Store inner, Point point) {
    super(inner);
    this.point = point;
  }

  @Override
  public CompletionStage<WriteResult> write(Batch batch) {
    return at(tells(batch), () -> super.write(batch));
  }

  private boolean tells(Batch batch) {
    return StoredFacts.in(batch.facts(), codec).stream()
        .map(StoredFacts.Stored::event)
        .anyMatch(fact -> fact instanceof JobFact && name(fact).equals(point.what()));
  }

  private static String name(Object fact) {
    var words = fact.getClass().getSimpleName().split("(?=[A-Z])");
    return String.join("-", words).toLowerCase(Locale.ROOT);
  }

  @Override
  public CompletionStage<WriteResult> writeChunk(CheckpointChunk chunk) {
    return at(point.what().equals("chunk"), () -> super.writeChunk(chunk));
  }

  @Override
  public CompletionStage<Boolean> trim(int partition, long incarnation, int limit) {
    return at(point.what().equals("trim"), () -> super.trim(partition, incarnation, limit));
  }

  @Override
  public CompletionStage<Integer> forget(Instant finishedBefore, int limit) {
    return at(point.what().equals("forget"), () -> super.forget(finishedBefore, limit));
  }

  private <T> CompletionStage<T> at(boolean here, Supplier<CompletionStage<T>> work) {
    if (!here || seen.incrementAndGet() != point.time()) {
      return work.get();
    }
    if (!point.after()) {
      Runtime.getRuntime().halt(EXIT_CODE);
    }
    return work.get().whenComplete((done, failure) -> Runtime.getRuntime().halt(EXIT_CODE));
  }
}
