package dev.handoff.internal.store;

import static dev.handoff.internal.store.HistoryRows.bytes;
import static dev.handoff.internal.store.HistoryRows.id;
import static dev.handoff.internal.store.HistoryRows.keyed;
import static dev.handoff.internal.store.HistoryRows.row;
import static dev.handoff.internal.store.StageWait.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.store.WriteResult.Fenced;
import dev.handoff.internal.store.WriteResult.Refused;
import dev.handoff.internal.store.WriteResult.Written;
import dev.handoff.testing.RewrittenRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A store that is written to")
@ParameterizedClass
@EnumSource(StoreKind.class)
class StoreWritingTest {

  private final StoreHome home;
  private final Store store;
  private final PartitionOwner owner;

  StoreWritingTest(StoreKind kind) {
    home = new StoreHome(kind);
    store = home.open();
    owner = PartitionOwner.of(store, 1);
  }

  @AfterEach
  void close() {
    home.close();
  }

  @Test
  void writesBatchesInTheOrderOfTheCallsAlsoIfNobodyWaitsForThem() {
    List<CompletionStage<WriteResult>> answers = new ArrayList<>();

    for (int batch = 0; batch < 200; batch++) {
      answers.add(owner.hand(owner.next(row(batch))));
    }

    assertThat(answers)
        .map(StageWait::get)
        .containsExactlyElementsOf(
            LongStream.rangeClosed(1, 200)
                .mapToObj(Written::new)
                .map(WriteResult.class::cast)
                .toList());
    assertThat(StoreReading.replay(store, 1))
        .hasSize(200)
        .startsWith("1: facts 1", "2: facts 2")
        .endsWith("200: facts 200");
  }

  @Test
  void answersABatchThatIsHandedInAgainAndDoesNotWriteItTwice() {
    StoreBatch batch = owner.next(keyed(1, "k"));
    get(store.write(batch));

    WriteResult again = get(store.write(batch));

    assertThat(again).isEqualTo(new Written(1));
    assertThat(StoreReading.replay(store, 1)).containsExactly("1: facts 1");
    assertThat(get(store.historyCounts())).isEqualTo(Map.of("succeeded", 1L));
  }

  @Test
  void fencesAnOwnerThatWasReplacedAndNamesTheNewOne() {
    owner.write();
    PartitionOwner next = PartitionOwner.of(store, 1);

    WriteResult late = owner.write(row(1));

    assertThat(late)
        .isInstanceOfSatisfying(
            Fenced.class,
            fenced -> assertThat(fenced.by()).contains("owner of 1").contains("incarnation 2"));
    assertThat(get(store.find(id(1)))).isEmpty();
    assertThat(next.seq()).isEqualTo(1);
    assertThat(next.write()).isEqualTo(new Written(2));
    assertThat(StoreReading.replay(store, 1)).containsExactly("1: facts 1", "2: facts 2");
  }

  @Test
  void fencesAnOwnerAlsoWhenItHandsInAgainWhatWasWritten() {
    StoreBatch batch = owner.next();
    get(store.write(batch));
    PartitionOwner.of(store, 1);

    assertThat(get(store.write(batch))).isInstanceOf(Fenced.class);
  }

  @Test
  void fencesAnotherBatchWithANumberThatIsTaken() {
    owner.write(row(1));

    WriteResult otherFacts = get(store.write(owner.batch(1, "other", List.of(row(1)), List.of())));
    WriteResult otherRows = get(store.write(owner.batch(1, "facts 1", List.of(row(2)), List.of())));

    assertThat(otherFacts).isInstanceOf(Fenced.class);
    assertThat(otherRows).isInstanceOf(Fenced.class);
    assertThat(StoreReading.replay(store, 1)).containsExactly("1: facts 1");
    assertThat(get(store.find(id(2)))).isEmpty();
  }

  @Test
  void fencesABatchThatLeavesAGap() {
    owner.write();

    WriteResult ahead = get(store.write(owner.batch(3, "too early", List.of(), List.of())));

    assertThat(ahead).isInstanceOf(Fenced.class);
    assertThat(StoreReading.replay(store, 1)).containsExactly("1: facts 1");
  }

  @Test
  void keepsPartitionsApart() {
    PartitionOwner other = PartitionOwner.of(store, 2);
    owner.write();
    other.write();
    PartitionOwner.of(store, 2);

    assertThat(owner.write()).isEqualTo(new Written(2));
    assertThat(StoreReading.replay(store, 0)).isEmpty();
    assertThat(StoreReading.replay(store, 1)).containsExactly("1: facts 1", "2: facts 2");
    assertThat(StoreReading.replay(store, 2)).containsExactly("1: facts 1");
  }

  @Test
  void makesHistoryDurableWithTheBatchThatEndsIt() {
    owner.write(row(1), row(2));

    assertThat(get(store.find(id(1)))).get().usingRecursiveComparison().isEqualTo(row(1));
    assertThat(get(store.find(id(2)))).isPresent();
    assertThat(get(store.find(id(3)))).isEmpty();
  }

  @Test
  void takesRowsOutOfHistoryThatABatchOpensAgain() {
    owner.write(keyed(1, "k"), row(2));

    WriteResult reopened = owner.reopen(id(1), "no such id");

    assertThat(reopened).isEqualTo(new Written(2));
    assertThat(get(store.find(id(1)))).isEmpty();
    assertThat(get(store.findKeys(List.of("k")))).isEmpty();
    assertThat(get(store.historyCounts())).isEqualTo(Map.of("succeeded", 1L));
    assertThat(owner.write(keyed(1, "k"))).isEqualTo(new Written(3));
    assertThat(get(store.find(id(1)))).isPresent();
  }

  @Test
  void opensAgainAndEndsInOneBatch() {
    owner.write(keyed(1, "k"), row(2));
    HistoryRow failed = HistoryRows.of(1, "failed", "k");

    WriteResult both = get(owner.hand(owner.batch(2, "both", List.of(failed), List.of(id(1)))));

    assertThat(both).isEqualTo(new Written(2));
    assertThat(get(store.find(id(1)))).get().usingRecursiveComparison().isEqualTo(failed);
    assertThat(get(store.historyCounts())).isEqualTo(Map.of("succeeded", 1L, "failed", 1L));
  }

  @Test
  void refusesASecondRowWithTheSameKeyOrIdAndWritesNothingOfItsBatch() {
    owner.write(keyed(1, "k"));

    WriteResult key = get(store.write(owner.next(row(2), keyed(3, "k"))));
    WriteResult twice = get(store.write(owner.next(keyed(4, "l"), keyed(5, "l"))));
    WriteResult id = get(store.write(owner.next(row(6), row(1))));

    assertThat(List.of(key, twice, id))
        .allSatisfy(answer -> assertThat(answer).isInstanceOf(Refused.class));
    assertThat(StoreReading.replay(store, 1)).containsExactly("1: facts 1");
    assertThat(get(store.list(HistoryQuery.newest(10)))).map(HistoryRow::id).containsExactly(id(1));
    assertThat(owner.write(row(2))).isEqualTo(new Written(2));
    assertThat(get(store.historyCounts())).isEqualTo(Map.of("succeeded", 2L));
  }

  @Test
  void takesBigRowsAndEmptyOnes() {
    byte[] facts = new byte[8 << 20];
    facts[facts.length - 1] = 42;
    HistoryRow big = RewrittenRow.state(row(1), new byte[1 << 20]);
    HistoryRow empty = RewrittenRow.state(row(2), new byte[0]);
    var batch = new StoreBatch(1, owner.incarnation(), 1, facts, List.of(big, empty), List.of());

    assertThat(get(owner.hand(batch))).isEqualTo(new Written(1));

    assertThat(StoreReading.pages(store, 1).getFirst().pieces().getFirst().bytes())
        .isEqualTo(facts);
    assertThat(get(store.find(id(1))).orElseThrow().state()).isEqualTo(big.state());
    assertThat(get(store.find(id(2))).orElseThrow().state()).isEmpty();
  }

  @Test
  void refusesAPartitionThatItDoesNotHave() {
    WriteResult answer = get(store.write(new StoreBatch(7, 1, 1, bytes(""), List.of(), List.of())));

    assertThat(answer)
        .isInstanceOfSatisfying(
            Refused.class,
            refused -> assertThat(refused.reason()).contains("no partition 7, only 0 to 2"));
  }
}
