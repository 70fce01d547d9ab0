package dev.handoff.internal.ledger;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.handoff.EntityId;
import dev.handoff.internal.store.HistoryRow;
import dev.handoff.internal.text.Ulid;
import java.time.Instant;
import java.util.List;
import java.util.Random;

/// Smallest possible entities of a ledger: counters that remember the order of their facts.
public final class CounterEntities {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private CounterEntities() {}

  public record CounterId(@JsonValue String value) implements EntityId {
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public CounterId {}
  }

  @JsonTypeName("counter")
  record Counter(CounterId id, long version, List<Integer> added, boolean ended)
      implements EntityState {
    Counter {
      added = List.copyOf(added);
    }
  }

  @JsonSubTypes({
    @JsonSubTypes.Type(value = Added.class, name = "added"),
    @JsonSubTypes.Type(value = Padded.class, name = "padded"),
    @JsonSubTypes.Type(value = Closed.class, name = "closed")
  })
  sealed interface CounterFact extends StoredEvent {}

  record Added(int amount) implements CounterFact {}

  /// Fact of a given size.
  record Padded(byte[] padding) implements CounterFact {}

  record Closed() implements CounterFact {}

  static FactCodec codec() {
    return new FactCodec(List.of(CounterFact.class, Counter.class));
  }

  static List<EntityState> fold(LiveStates live, String entity, StoredEvent event) {
    var before = (Counter) live.get(entity);
    var now = before == null ? new Counter(new CounterId(entity), 0, List.of(), false) : before;
    return switch ((CounterFact) event) {
      case Added(int amount) when amount == Integer.MIN_VALUE -> List.of();
      case Added(int amount) -> List.of(live.put(after(now, plus(now.added(), amount), false)));
      case Padded none -> List.of(live.put(after(now, now.added(), false)));
      case Closed closed -> List.of(live.put(after(now, now.added(), true)));
    };
  }

  static String id(int number) {
    return new Ulid(new Random(number)).next(NOW.toEpochMilli(), 0);
  }

  static Fact added(String entity, int amount) {
    return codec().encode(new CounterId(entity), new Added(amount));
  }

  static Fact padded(String entity, int bytes) {
    return codec().encode(new CounterId(entity), new Padded(new byte[bytes]));
  }

  static Fact closed(String entity) {
    return codec().encode(new CounterId(entity), new Closed());
  }

  static Counter counter(String entity, int version, Integer... added) {
    return new Counter(new CounterId(entity), version, List.of(added), false);
  }

  static HistoryRow row(String entity) {
    return new HistoryRow(
        entity, "job", "succeeded", "t", "q", null, null, "", 1, NOW, NOW, new byte[10]);
  }

  private static Counter after(Counter before, List<Integer> added, boolean ended) {
    return new Counter(before.id(), before.version() + 1, added, ended);
  }

  private static List<Integer> plus(List<Integer> added, int amount) {
    return java.util.stream.Stream.concat(added.stream(), java.util.stream.Stream.of(amount))
        .toList();
  }
}
