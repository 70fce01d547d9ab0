package dev.handoff.internal.store;

import static dev.handoff.internal.store.HistoryRows.id;
import static dev.handoff.internal.store.HistoryRows.keyed;
import static dev.handoff.internal.store.HistoryRows.row;
import static dev.handoff.internal.store.StageWait.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.StoreException;
import dev.handoff.internal.store.WriteResult.Refused;
import dev.handoff.internal.store.WriteResult.Written;
import dev.handoff.testing.RewrittenRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A batch that no database takes")
@ParameterizedClass
@EnumSource(StoreKind.class)
class StoreRefusalTest {

  private static final List<String> BAD = List.of("a\0b", "\ud83d", "\ude00x", "x\ud83d\ud83d");

  private final StoreHome home;
  private final Store store;
  private final PartitionOwner owner;
  private final PartitionOwner neighbour;

  StoreRefusalTest(StoreKind kind) {
    home = new StoreHome(kind);
    store = home.open();
    owner = PartitionOwner.of(store, 0);
    neighbour = PartitionOwner.of(store, 1);
  }

  @AfterEach
  void close() {
    home.close();
  }

  @Test
  void isRefusedForTextInAnyColumn() {
    for (String bad : BAD) {
      for (HistoryRow row : withInEveryColumn(bad)) {
        assertThat(get(store.write(owner.next(row)))).isInstanceOf(Refused.class);
      }
      var reopening = owner.batch(1, "facts", List.of(), List.of(bad));
      assertThat(get(store.write(reopening))).isInstanceOf(Refused.class);
    }

    assertThat(owner.write(row(1))).isEqualTo(new Written(1));
    assertThat(get(store.list(HistoryQuery.newest(10)))).hasSize(1);
  }

  @Test
  void isRefusedLikeItForTheNameOfAnOwnerAndForAPartitionThatThereIsNot() {
    for (String bad : BAD) {
      assertThatThrownBy(() -> get(store.takeOver(0, bad)))
          .isInstanceOf(StoreException.Unfit.class)
          .hasMessageContaining("owner has");
    }
    for (int none : new int[] {-1, StoreHome.PARTITIONS}) {
      assertThatThrownBy(() -> get(store.replay(none, PartitionReplay.Position.START)))
          .isInstanceOf(StoreException.class);
    }
  }

  @Test
  void isTakenWithAnyOtherText() {
    String odd = "\u0001 \u202e \ud83d\ude00 \uffff é | ' \" \\ % {} NULL";

    assertThat(owner.write(withInEveryColumn(odd).getLast())).isEqualTo(new Written(1));

    assertThat(get(store.list(HistoryQuery.newest(1))).getFirst().labels()).isEqualTo(odd);
  }

  @Test
  void isRefusedForAKeyThatIsTooLongToBeSearched() {
    assertThat(get(store.write(owner.next(keyed(1, "k".repeat(1_537))))))
        .isInstanceOf(Refused.class);
    assertThat(get(store.write(owner.next(keyed(1, "é".repeat(769)))))).isInstanceOf(Refused.class);
    assertThat(owner.write(keyed(1, "一".repeat(512)))).isEqualTo(new Written(1));
  }

  @Test
  void isRefusedForATimeThatDoesNotCountInMilliseconds() {
    var never = RewrittenRow.finishedAt(row(1), Instant.MAX);

    assertThat(get(store.write(owner.next(never)))).isInstanceOf(Refused.class);
  }

  @Test
  void isRefusedAloneWhateverIsWrittenAtTheSameTime() {
    owner.write(keyed(1, "taken"));
    List<CompletionStage<WriteResult>> neighbours = new ArrayList<>();
    List<CompletionStage<WriteResult>> refused = new ArrayList<>();

    for (int round = 0; round < 50; round++) {
      neighbours.add(neighbour.hand(neighbour.next(row(1_000 + round))));
      refused.add(store.write(owner.next(row(2), keyed(3, "taken"))));
      neighbours.add(neighbour.hand(neighbour.next()));
      refused.add(store.write(owner.next(keyed(4, BAD.getFirst()))));
    }

    assertThat(neighbours).map(StageWait::get).allMatch(Written.class::isInstance);
    assertThat(refused).map(StageWait::get).allMatch(Refused.class::isInstance);
    assertThat(StoreReading.replay(store, 1)).hasSize(100);
    assertThat(get(store.find(id(2)))).isEmpty();
    assertThat(get(store.historyCounts())).containsEntry("succeeded", 51L);
    assertThat(owner.write(row(2))).isEqualTo(new Written(2));
  }

  /// Rows with this text in one column each; the last row has it in all columns.
  private static List<HistoryRow> withInEveryColumn(String text) {
    UnaryOperator<String> same = value -> value;
    UnaryOperator<String> changed = value -> text;
    var rows = new ArrayList<HistoryRow>();
    for (int column = 0; column < 8; column++) {
      var changes = new ArrayList<>(Collections.nCopies(8, same));
      changes.set(column, changed);
      rows.add(with(changes));
    }
    rows.add(with(Collections.nCopies(8, changed)));
    return rows;
  }

  private static HistoryRow with(List<UnaryOperator<String>> columns) {
    return new HistoryRow(
        columns.get(0).apply(id(9)),
        columns.get(1).apply("job"),
        columns.get(2).apply("failed"),
        columns.get(3).apply("type"),
        columns.get(4).apply("queue"),
        columns.get(5).apply("key"),
        columns.get(6).apply("plan"),
        columns.get(7).apply("|a=b|"),
        1,
        HistoryRows.CREATED,
        HistoryRows.FINISHED,
        new byte[] {1});
  }
}
