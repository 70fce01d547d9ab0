package dev.handoff.internal.store;

import static dev.handoff.internal.store.HistoryRows.id;
import static dev.handoff.internal.store.StageWait.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.store.WriteResult.Away;
import dev.handoff.internal.store.WriteResult.Fenced;
import dev.handoff.internal.store.WriteResult.Refused;
import dev.handoff.internal.store.WriteResult.Written;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/// Writes random batches to one partition, and tracks the expected content. Batches answered `Away`
/// are written again.
public final class RandomWriter {

  private static final List<String> STATUSES = List.of("succeeded", "failed", "cancelled");

  private final Store store;
  private final Function<StoreBatch, ? extends CompletionStage<WriteResult>> executor;
  private final List<String> facts = new ArrayList<>();
  private final Map<Long, String> history = new TreeMap<>();
  private PartitionOwner owner;
  private long ids;

  public RandomWriter(
      Store store,
      PartitionOwner owner,
      Function<StoreBatch, ? extends CompletionStage<WriteResult>> executor) {
    this.store = store;
    this.owner = owner;
    this.executor = executor;
    this.ids = owner.partition() * 1_000_000L;
  }

  public void write(int batches, Random random) {
    for (int batch = 0; batch < batches; batch++) {
      switch (random.nextInt(8)) {
        case 0 -> refused();
        case 1 -> fenced();
        case 2, 3 -> written(List.of(), random.nextBoolean());
        case 4 -> opened();
        default -> written(rows(1 + random.nextInt(3), random), random.nextInt(4) == 0);
      }
    }
  }

  private List<HistoryRow> rows(int count, Random random) {
    var rows = new ArrayList<HistoryRow>();
    for (int row = 0; row < count; row++) {
      var status = STATUSES.get(random.nextInt(STATUSES.size()));
      rows.add(HistoryRows.of(++ids, status, random.nextBoolean() ? "key " + ids : null));
    }
    return rows;
  }

  private void written(List<HistoryRow> rows, boolean twice) {
    var batch = next(rows, List.of());
    var early = twice ? executor.apply(batch) : null;
    assertThat(answer(batch)).isEqualTo(new Written(batch.seq()));
    if (early != null) {
      assertThat(get(early)).isInstanceOfAny(Written.class, Away.class);
    }
    facts.add(batch.seq() + ": " + text(batch.seq()));
    for (int row = 0; row < rows.size(); row++) {
      history.put(ids - rows.size() + 1 + row, rows.get(row).status());
    }
  }

  /// Writes a history row whose id exists already.
  private void refused() {
    if (!history.isEmpty()) {
      long taken = history.keySet().iterator().next();
      var rows = List.of(HistoryRows.row(++ids), HistoryRows.row(taken));
      assertThat(answer(next(rows, List.of()))).isInstanceOf(Refused.class);
    }
  }

  private void fenced() {
    var late = next(List.of(HistoryRows.row(++ids)), List.of());
    owner = PartitionOwner.of(store, owner.partition());
    assertThat(answer(late)).isInstanceOf(Fenced.class);
  }

  private void opened() {
    if (!history.isEmpty()) {
      long first = history.keySet().iterator().next();
      var batch = next(List.of(), List.of(id(first)));
      assertThat(answer(batch)).isEqualTo(new Written(batch.seq()));
      facts.add(batch.seq() + ": " + text(batch.seq()));
      history.remove(first);
    }
  }

  private StoreBatch next(List<HistoryRow> rows, List<String> opened) {
    long seq = facts.size() + 1;
    return owner.batch(seq, text(seq), rows, opened);
  }

  private static String text(long seq) {
    return "facts " + seq;
  }

  private WriteResult answer(StoreBatch batch) {
    var answer = get(executor.apply(batch));
    while (answer instanceof Away) {
      answer = get(executor.apply(batch));
    }
    return answer;
  }

  public int batches() {
    return facts.size();
  }

  /// Asserts that the partition holds every written batch once, and no refused rows.
  public void check(Map<String, Long> counts) {
    assertThat(StoreReading.replay(store, owner.partition())).isEqualTo(facts);
    for (long number = owner.partition() * 1_000_000L + 1; number <= ids; number++) {
      var status = get(store.find(id(number))).map(HistoryRow::status).orElse(null);
      assertThat(status).as("job " + number).isEqualTo(history.get(number));
    }
    history.values().forEach(status -> counts.merge(status, 1L, Long::sum));
  }
}
