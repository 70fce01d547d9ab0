package dev.handoff.internal.store;

import static dev.handoff.internal.store.HistoryRows.FINISHED;
import static dev.handoff.internal.store.HistoryRows.finished;
import static dev.handoff.internal.store.HistoryRows.id;
import static dev.handoff.internal.store.HistoryRows.keyed;
import static dev.handoff.internal.store.HistoryRows.row;
import static dev.handoff.internal.store.StageWait.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.testing.RewrittenRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("History")
@ParameterizedClass
@EnumSource(StoreKind.class)
class StoreHistoryTest {

  private static final HistoryRow RENDER =
      new HistoryRow(
          id(7),
          "job",
          "failed",
          "render",
          "slow",
          "frame-7",
          id(9),
          "|team=blue|note=50% off, 'a' \\ \"b\"|",
          3,
          Instant.parse("1969-12-31T23:59:59.999Z"),
          Instant.parse("2026-03-02T00:00:00Z"),
          new byte[] {0, -1, 127, -128});
  private static final HistoryRow PLAN =
      new HistoryRow(
          id(9),
          "plan",
          "cancelled",
          "nightly",
          "default",
          null,
          null,
          "|team=blueish|",
          1,
          HistoryRows.CREATED,
          FINISHED,
          new byte[] {1});

  private final StoreHome home;
  private final Store store;
  private final PartitionOwner owner;

  StoreHistoryTest(StoreKind kind) {
    home = new StoreHome(kind);
    store = home.open();
    owner = PartitionOwner.of(store, 0);
  }

  @AfterEach
  void close() {
    home.close();
  }

  @Test
  void givesBackEveryColumnAsItWas() {
    owner.write(RENDER, PLAN);

    assertThat(get(store.find(RENDER.id()))).get().usingRecursiveComparison().isEqualTo(RENDER);
    assertThat(get(store.find(PLAN.id()))).get().usingRecursiveComparison().isEqualTo(PLAN);
  }

  @Test
  void listsTheNewestFirstInPages() {
    owner.write(row(3), row(1), row(5));
    PartitionOwner.of(store, 1).write(row(2), row(4));

    assertThat(ids(page(null, 2))).containsExactly(id(5), id(4));
    assertThat(ids(page(id(4), 2))).containsExactly(id(3), id(2));
    assertThat(ids(page(id(2), 2))).containsExactly(id(1));
    assertThat(ids(page(id(1), 2))).isEmpty();
  }

  @Test
  void listsWhatIsAskedFor() {
    owner.write(row(1), RENDER, PLAN);

    assertThat(ids(query("job", null, null, null, null, null))).containsExactly(id(7), id(1));
    assertThat(ids(query(null, "cancelled", null, null, null, null))).containsExactly(id(9));
    assertThat(ids(query(null, null, "render", null, null, null))).containsExactly(id(7));
    assertThat(ids(query(null, null, null, "default", null, null))).containsExactly(id(9), id(1));
    assertThat(ids(query(null, null, null, null, id(9), null))).containsExactly(id(7));
    assertThat(ids(query("job", "failed", "render", "slow", id(9), "team=blue")))
        .containsExactly(id(7));
    assertThat(ids(query("plan", "failed", null, null, null, null))).isEmpty();
  }

  @Test
  void findsLabelsAsAWholeAndWithoutWildcards() {
    owner.write(row(1), RENDER, PLAN);

    assertThat(ids(label("team=blue"))).containsExactly(id(7));
    assertThat(ids(label("note=50% off, 'a' \\ \"b\""))).containsExactly(id(7));
    assertThat(ids(label("Team=blue"))).isEmpty();
    assertThat(ids(label("team=%"))).isEmpty();
    assertThat(ids(label("team=b_ue"))).isEmpty();
  }

  @Test
  void endsAPageOfLargeStatesEarlyButNeverEmpty() {
    byte[] large = new byte[9 << 20];
    for (int number = 1; number <= 3; number++) {
      owner.write(RewrittenRow.state(row(number), large));
    }

    assertThat(ids(page(null, 10))).containsExactly(id(3), id(2));
    assertThat(ids(page(id(2), 10))).containsExactly(id(1));
  }

  @Test
  void findsTheHoldersOfKeys() {
    var rows = LongStream.range(0, 600).mapToObj(number -> keyed(number, "key " + number));
    owner.write(rows.toArray(HistoryRow[]::new));
    var keys = new ArrayList<>(IntStream.range(0, 600).mapToObj(n -> "key " + n).toList());
    keys.add("no such key");

    Map<String, KeyHolder> holders = get(store.findKeys(keys));

    assertThat(holders).hasSize(600).containsOnlyKeys(keys.subList(0, 600));
    assertThat(holders.get("key 417").id()).isEqualTo(id(417));
    assertThat(get(store.findKeys(List.of("key 3")))).containsOnlyKeys("key 3");
    assertThat(get(store.findKeys(List.of()))).isEmpty();
  }

  @Test
  void knowsWhatTheHoldersOfKeysWereAskedToDo() {
    owner.write(HistoryRows.fingerprinted(1, "new", "0123abcd"), keyed(2, "old"));

    assertThat(get(store.findKeys(List.of("new", "old"))))
        .containsOnly(
            Map.entry("new", new KeyHolder(id(1), "new", "0123abcd", true)),
            Map.entry("old", new KeyHolder(id(2), "old", null, true)));
  }

  @Test
  void keepsKeysOfWhatHasNoRowUntilTheyAreForgotten() {
    keep(1, kept("a", 1, 10), kept("b", 2, 20), kept("c", 3, 30));
    owner.write(keyed(9, "of a row"));

    assertThat(get(store.findKeys(List.of("a", "c", "of a row", "none"))))
        .containsOnly(
            Map.entry("a", new KeyHolder(id(1), "a", "print a", false)),
            Map.entry("c", new KeyHolder(id(3), "c", "print c", false)),
            Map.entry("of a row", new KeyHolder(id(9), "of a row", null, true)));
    assertThat(get(store.find(id(1)))).isEmpty();
    assertThat(get(store.historyCounts())).isEqualTo(Map.of("succeeded", 1L));

    assertThat(get(store.forgetKeys(FINISHED.plusSeconds(30), 1))).isEqualTo(1);
    assertThat(get(store.findKeys(List.of("a", "b", "c")))).containsOnlyKeys("b", "c");
    assertThat(get(store.forgetKeys(FINISHED.plusSeconds(30), 5))).isEqualTo(1);
    assertThat(get(store.forgetKeys(FINISHED.plusSeconds(30), 5))).isZero();
    assertThat(get(store.findKeys(List.of("a", "b", "c")))).containsOnlyKeys("c");
    assertThat(get(store.forgetKeys(Instant.MAX, 5))).isEqualTo(1);
  }

  @Test
  void givesAKeyWithoutARowToWhoeverHasItLast() {
    keep(1, kept("a", 1, 10));
    keep(2, kept("a", 2, 20));

    assertThat(get(store.findKeys(List.of("a"))).get("a").id()).isEqualTo(id(2));
    assertThat(get(store.forgetKeys(FINISHED.plusSeconds(15), 5))).isZero();
  }

  @Test
  void keepsKeysTogetherWithEverythingElseOfABatch() {
    owner.write(HistoryRows.of(3, "failed", "again"));
    var batch =
        new StoreBatch(
            owner.partition(),
            owner.incarnation(),
            owner.seq() + 1,
            HistoryRows.bytes("facts"),
            List.of(row(4)),
            List.of(id(3)),
            List.of(kept("again", 3, 40)));

    assertThat(get(owner.hand(batch))).isEqualTo(new WriteResult.Written(2));

    assertThat(get(store.findKeys(List.of("again"))).get("again").kept()).isFalse();
    assertThat(ids(page(null, 10))).containsExactly(id(4));
    assertThat(get(store.write(batch))).isEqualTo(new WriteResult.Written(2));
    assertThat(get(store.historyCounts())).isEqualTo(Map.of("succeeded", 1L));
  }

  private void keep(long seq, KeptKey... keys) {
    var batch =
        new StoreBatch(
            owner.partition(),
            owner.incarnation(),
            seq,
            HistoryRows.bytes("facts"),
            List.of(),
            List.of(),
            List.of(keys));
    assertThat(get(owner.hand(batch))).isEqualTo(new WriteResult.Written(seq));
  }

  private static KeptKey kept(String key, long number, long seconds) {
    return new KeptKey(key, id(number), "print " + key, FINISHED.plusSeconds(seconds));
  }

  @Test
  void forgetsTheOldestInSlices() {
    owner.write(finished(1, 10), finished(2, 20), finished(3, 30), finished(4, 40));

    assertThat(get(store.forget(FINISHED.plusSeconds(40), 2))).isEqualTo(2);
    assertThat(ids(page(null, 10))).containsExactly(id(4), id(3));
    assertThat(get(store.forget(FINISHED.plusSeconds(40), 2))).isEqualTo(1);
    assertThat(get(store.forget(FINISHED.plusSeconds(40), 2))).isZero();
    assertThat(get(store.forget(Instant.MIN, 10))).isZero();
    assertThat(get(store.forget(Instant.MAX, 10))).isEqualTo(1);
    assertThat(get(store.historyCounts())).isEmpty();
  }

  @Test
  void countsRowsByStatusThroughEveryChange() {
    owner.write(row(1), row(2), HistoryRows.of(3, "failed", null));
    PartitionOwner.of(store, 2).write(row(4), HistoryRows.of(5, "cancelled", null));
    owner.reopen(id(3));
    get(store.forget(Instant.MAX, 2));

    Map<String, Long> counts = get(store.historyCounts());

    assertThat(counts.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(2);
    assertThat(counts).doesNotContainKey("failed");
    assertThat(get(store.list(HistoryQuery.newest(10)))).hasSize(2);
  }

  @Test
  void freesKeysThatItForgets() {
    owner.write(keyed(1, "k"));
    get(store.forget(Instant.MAX, 10));

    assertThat(get(store.findKeys(List.of("k")))).isEmpty();
    assertThat(owner.write(keyed(2, "k"))).isEqualTo(new WriteResult.Written(2));
  }

  @Test
  void matchesNothingWithTextThatCannotBeStored() {
    owner.write(row(1));

    assertThat(get(store.find("\0"))).isEmpty();
    assertThat(get(store.findKeys(List.of("a\0", "\ud800")))).isEmpty();
    assertThat(ids(query(null, "\0", null, null, null, null))).isEmpty();
    assertThat(ids(label("\udc00"))).isEmpty();
    assertThat(get(store.blobs(List.of("\0", "ab", "A".repeat(64))))).isEmpty();
  }

  private List<HistoryRow> page(String before, int limit) {
    var query = new HistoryQuery(null, null, null, null, null, null, before, limit);
    return get(store.list(query));
  }

  private List<HistoryRow> query(
      String kind, String status, String type, String queue, String plan, String label) {
    return get(store.list(new HistoryQuery(kind, status, type, queue, plan, label, null, 100)));
  }

  private List<HistoryRow> label(String label) {
    return query(null, null, null, null, null, label);
  }

  private static List<String> ids(List<HistoryRow> rows) {
    return rows.stream().map(HistoryRow::id).toList();
  }
}
