package dev.handoff.chaos;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.handoff.internal.engine.FactFolding;
import dev.handoff.internal.job.JobFact;
import dev.handoff.internal.ledger.FactCodec;
import dev.handoff.internal.ledger.StoredFacts;
import dev.handoff.internal.plan.PlanFact;
import dev.handoff.internal.store.BlobUse;
import dev.handoff.internal.store.CheckpointChunk;
import dev.handoff.internal.store.Store;
import dev.handoff.internal.store.StoreBatch;
import dev.handoff.internal.store.WriteResult;
import dev.handoff.testing.StoreAround;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Store that halts the JVM without notice, at one point.
final class HaltingStore extends StoreAround {

  /// Exit code of the process, which shows that the fault occurred.
  static final int EXIT_CODE = 86;

  /// Point of the halt.
  ///
  /// @param after whether the call at that point is executed first
  /// @param what stored name of a fact, or `contents`, `chunk`, `trim`, `forget`
  /// @param time which occurrence, from 1
  record Point(boolean after, String what, int time) {

    /// Parses text such as `before:claimed:3`.
    static Point parse(String text) {
      var parts = text.split(":");
      return new Point(parts[0].equals("after"), parts[1], Integer.parseInt(parts[2]));
    }

    @Override
    public String toString() {
      return (after ? "after:" : "before:") + what + ":" + time;
    }
  }

  private static final Map<Class<?>, String> NAMES =
      Stream.of(JobFact.class, PlanFact.class)
          .flatMap(kind -> Stream.of(kind.getAnnotation(JsonSubTypes.class).value()))
          .collect(Collectors.toMap(JsonSubTypes.Type::value, JsonSubTypes.Type::name));

  private static final FactCodec CODEC = FactFolding.codec();

  private final Point point;
  private final AtomicInteger seen = new AtomicInteger();

  HaltingStore(Store inner, Point point) {
    super(inner);
    this.point = point;
  }

  @Override
  public CompletionStage<WriteResult> write(StoreBatch batch) {
    return at(tells(batch, point.what()), () -> super.write(batch));
  }

  /// Whether a batch contains a fact with this stored name.
  static boolean tells(StoreBatch batch, String name) {
    return StoredFacts.in(batch.facts(), CODEC).stream()
        .map(StoredFacts.Stored::event)
        .anyMatch(fact -> name.equals(NAMES.get(fact.getClass())));
  }

  /// Stored names of all facts of jobs and plans.
  static Set<String> facts() {
    return Set.copyOf(NAMES.values());
  }

  /// Kind of the fact with a stored name, such as `plan Ended`.
  static String kind(String name) {
    return NAMES.entrySet().stream()
        .filter(entry -> entry.getValue().equals(name))
        .map(
            entry ->
                (isOfPlans(entry.getKey()) ? "plan " : "job ") + entry.getKey().getSimpleName())
        .findFirst()
        .orElseThrow();
  }

  private static boolean isOfPlans(Class<?> fact) {
    return PlanFact.class.isAssignableFrom(fact);
  }

  @Override
  public CompletionStage<List<Set<String>>> keepBlobs(List<BlobUse> asked) {
    return at(point.what().equals("contents"), () -> super.keepBlobs(asked));
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
