package dev.handoff.chaos;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.handoff.engine.Facts;
import dev.handoff.job.JobFact;
import dev.handoff.ledger.FactCodec;
import dev.handoff.ledger.StoredFacts;
import dev.handoff.plan.PlanFact;
import dev.handoff.store.Batch;
import dev.handoff.store.CheckpointChunk;
import dev.handoff.store.Keeping;
import dev.handoff.store.Store;
import dev.handoff.store.WriteResult;
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

/// A store that ends the JVM, without a word to anybody, at one point of its life.
final class HaltingStore extends StoreAround {

  /// What the process ends with, so that whoever started it knows that the fault struck.
  static final int EXIT_CODE = 86;

  /// Where to halt.
  ///
  /// @param after whether what was asked for is done before
  /// @param what the name that a fact is stored with, or `contents`, `chunk`, `trim`, `forget`
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

  private static final Map<Class<?>, String> NAMES =
      Stream.of(JobFact.class, PlanFact.class)
          .flatMap(kind -> Stream.of(kind.getAnnotation(JsonSubTypes.class).value()))
          .collect(Collectors.toMap(JsonSubTypes.Type::value, JsonSubTypes.Type::name));

  private static final FactCodec CODEC = Facts.codec();

  private final Point point;
  private final AtomicInteger seen = new AtomicInteger();

  HaltingStore(Store inner, Point point) {
    super(inner);
    this.point = point;
  }

  @Override
  public CompletionStage<WriteResult> write(Batch batch) {
    return at(tells(batch, point.what()), () -> super.write(batch));
  }

  /// Whether a batch has a fact that is stored with a name.
  static boolean tells(Batch batch, String name) {
    return StoredFacts.in(batch.facts(), CODEC).stream()
        .map(StoredFacts.Stored::event)
        .anyMatch(fact -> name.equals(NAMES.get(fact.getClass())));
  }

  /// The names of all facts of jobs and plans.
  static Set<String> facts() {
    return Set.copyOf(NAMES.values());
  }

  /// The kind of fact that is stored with a name, such as `plan Ended`.
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
  public CompletionStage<List<Set<String>>> keepBlobs(List<Keeping> asked) {
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
