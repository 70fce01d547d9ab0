package dev.handoff.internal.store;

import static dev.handoff.internal.store.HistoryRows.id;
import static dev.handoff.internal.store.HistoryRows.keyed;
import static dev.handoff.internal.store.HistoryRows.row;
import static dev.handoff.internal.store.StageWait.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.StoreException;
import dev.handoff.internal.store.FaultyDatabase.Fault;
import dev.handoff.internal.store.FaultyDatabase.Moment;
import dev.handoff.internal.store.WriteResult.Away;
import dev.handoff.internal.store.WriteResult.Written;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/// Breaks the n-th statement, for every n, and checks the content.
@DisplayName("A store whose database breaks at any statement")
@ParameterizedClass
@MethodSource("breaks")
class StoreFaultTest {

  private static final Fault DISK =
      connection -> new SQLiteException("disk I/O error", SQLiteErrorCode.SQLITE_IOERR);
  private static final Fault CONNECTION =
      connection -> {
        connection.close();
        return new SQLException("the connection was reset", "08006");
      };
  private static final Fault BUG =
      connection -> {
        throw new IllegalStateException("a driver's own mistake");
      };

  static List<Arguments> breaks() {
    return List.of(
        Arguments.of(StoreKind.FILE, Moment.BEFORE, DISK),
        Arguments.of(StoreKind.FILE, Moment.AFTER, DISK),
        Arguments.of(StoreKind.FILE, Moment.AFTER, BUG),
        Arguments.of(StoreKind.POSTGRES, Moment.BEFORE, CONNECTION),
        Arguments.of(StoreKind.POSTGRES, Moment.AFTER, CONNECTION),
        Arguments.of(StoreKind.POSTGRES, Moment.AFTER, BUG));
  }

  private final Moment moment;
  private final Fault fault;
  private final FaultyDatabase database = new FaultyDatabase();
  private final StoreHome home;
  private final Store store;
  private final PartitionOwner owner;

  StoreFaultTest(StoreKind kind, Moment moment, Fault fault) {
    this.moment = moment;
    this.fault = fault;
    home = new StoreHome(kind);
    store = home.open(database);
    owner = PartitionOwner.of(store, 0);
  }

  @AfterEach
  void close() {
    home.close();
  }

  @Test
  void hasABatchAsAWholeOrNotAtAllAndWritesItOnceWhenItIsHandedInAgain() {
    int statement = 0;
    boolean struck = true;
    while (struck) {
      statement++;
      long seq = owner.seq() + 1;
      owner.write(keyed(seq, "opened again " + seq));
      StoreBatch batch =
          owner.batch(
              seq + 1,
              "facts",
              List.of(row(seq + 100), HistoryRows.of(seq + 101, "failed", "key " + seq)),
              List.of(id(seq)));

      database.arm(statement, moment, fault);
      WriteResult first = get(owner.hand(batch));
      struck = database.struck();
      database.disarm();

      assertThat(first).isInstanceOfAny(Written.class, Away.class);
      boolean there = facts(seq + 1) == 1;
      assertThat(there || first instanceof Away).isTrue();
      assertThat(get(store.find(id(seq + 100))).isPresent()).isEqualTo(there);
      assertThat(get(store.find(id(seq + 101))).isPresent()).isEqualTo(there);
      assertThat(get(store.find(id(seq))).isPresent()).isNotEqualTo(there);

      assertThat(get(store.write(batch))).isEqualTo(new Written(seq + 1));

      assertThat(facts(seq + 1)).isEqualTo(1);
      assertThat(get(store.find(id(seq)))).isEmpty();
      assertThat(get(store.historyCounts()))
          .isEqualTo(Map.of("succeeded", (long) statement, "failed", (long) statement));
    }
    assertThat(statement).isGreaterThan(1);
  }

  private long facts(long seq) {
    return StoreReading.pages(store, 0).stream()
        .flatMap(page -> page.pieces().stream())
        .filter(piece -> piece instanceof PartitionReplay.Facts facts && facts.seq() == seq)
        .count();
  }

  @Test
  void writesNothingOfABatchThatIsRefusedAnyway() {
    owner.write(keyed(1, "k"));
    StoreBatch refused = owner.next(row(2), keyed(3, "k"));

    breakEveryStatement(
        store -> store.write(refused), answer -> answer instanceof WriteResult.Refused);

    assertThat(StoreReading.replay(store, 0)).containsExactly("1: facts 1");
    assertThat(get(store.find(id(2)))).isEmpty();
    assertThat(owner.write()).isEqualTo(new Written(2));
  }

  @Test
  void takesAPartitionOverAllTheSame() {
    breakEveryStatement(store -> store.takeOver(2, "next"), answer -> true);

    assertThat(PartitionOwner.of(store, 2).write()).isEqualTo(new Written(1));
  }

  @Test
  void completesACheckpointOnceItsLastChunkIsHandedInAgain() {
    owner.write();
    breakEveryStatement(
        store -> store.writeChunk(owner.chunk(1, 0, "a", false)), Written.class::isInstance);
    assertThat(StoreReading.replay(store, 0)).containsExactly("1: facts 1");

    breakEveryStatement(
        store -> store.writeChunk(owner.chunk(1, 1, "b", true)), Written.class::isInstance);
    assertThat(StoreReading.replay(store, 0)).containsExactly("states: a", "states: b");

    breakEveryStatement(store -> store.trim(0, owner.incarnation(), 10), more -> !more);
    assertThat(StoreReading.replay(store, 0)).containsExactly("states: a", "states: b");
  }

  @Test
  void readsAgainWhatItCouldNotRead() {
    owner.write(keyed(1, "k"));

    breakEveryStatement(store -> store.find(id(1)), found -> found.isPresent());
    breakEveryStatement(store -> store.findKeys(List.of("k")), found -> found.size() == 1);
    breakEveryStatement(store -> store.list(HistoryQuery.newest(5)), found -> found.size() == 1);
    breakEveryStatement(
        store -> store.replay(0, PartitionReplay.Position.START),
        page -> page.pieces().size() == 1);
    breakEveryStatement(Store::historyCounts, counts -> counts.get("succeeded") == 1);
  }

  /// Repeats a request with each of its statements broken in turn, and each time once more without
  /// a fault.
  private <T> void breakEveryStatement(
      Function<Store, CompletionStage<T>> request, Predicate<T> right) {
    boolean struck = true;
    for (int statement = 1; struck; statement++) {
      database.arm(statement, moment, fault);
      try {
        get(request.apply(store));
      } catch (StoreException.Unavailable told) {
        assertThat(told).hasMessageContaining(":");
      }
      struck = database.struck();
      database.disarm();
      assertThat(right.test(get(request.apply(store)))).isTrue();
    }
  }
}
