package dev.handoff.internal.store;

import static dev.handoff.internal.store.StageWait.get;
import static dev.handoff.internal.store.StoredPlanSamples.blob;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.StoreException;
import dev.handoff.internal.store.FaultyDatabase.Fault;
import dev.handoff.internal.store.FaultyDatabase.Moment;
import dev.handoff.internal.store.WriteResult.Written;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/// Breaks the n-th statement, for every n, and compares the use counts.
@DisplayName("Contents in a store whose database breaks at any statement")
@ParameterizedClass
@MethodSource("breaks")
class StoreBlobFaultTest {

  private static final Fault DISK =
      connection -> new SQLiteException("no room", SQLiteErrorCode.SQLITE_FULL);
  private static final Fault CONNECTION =
      connection -> {
        connection.close();
        return new SQLException("the connection was reset", "08006");
      };

  static List<Arguments> breaks() {
    return List.of(
        Arguments.of(StoreKind.FILE, Moment.BEFORE, DISK),
        Arguments.of(StoreKind.FILE, Moment.AFTER, DISK),
        Arguments.of(StoreKind.POSTGRES, Moment.BEFORE, CONNECTION),
        Arguments.of(StoreKind.POSTGRES, Moment.AFTER, CONNECTION));
  }

  private final StoreKind kind;
  private final Moment moment;
  private final Fault fault;
  private final FaultyDatabase database = new FaultyDatabase();
  private final StoreHome home;
  private final Store store;
  private final StoredPlanSamples plans;

  StoreBlobFaultTest(StoreKind kind, Moment moment, Fault fault) {
    this.kind = kind;
    this.moment = moment;
    this.fault = fault;
    home = new StoreHome(kind);
    store = home.open(database);
    plans = new StoredPlanSamples(store);
  }

  @AfterEach
  void close() {
    home.close();
  }

  private interface Request {
    void run();
  }

  /// Executes a request with its n-th statement broken.
  ///
  /// @return whether the request has that many statements
  private boolean breakOff(int statement, Request request) {
    database.arm(statement, moment, fault);
    try {
      request.run();
    } catch (StoreException.Unavailable told) {
      assertThat(told).hasMessageContaining(":");
    }
    boolean struck = database.struck();
    database.disarm();
    BlobCounts.check(kind, home);
    return struck;
  }

  @Test
  void areKeptAsAWholeOrNotAtAllAndKeptWhenTheyAreHandedInAgain() {
    plans.keep(1, blob("known"));
    int statement = 0;
    boolean struck = true;
    while (struck) {
      statement++;
      var fresh = blob("content " + statement);
      var known = Set.of(blob("known").sha256());

      struck = breakOff(statement, () -> plans.keep(2, List.of(fresh, blob("both")), known));

      assertThat(plans.keep(2, List.of(fresh, blob("both")), known)).isEmpty();
      BlobCounts.check(kind, home);
      assertThat(plans.there(fresh, blob("both"), blob("known"))).hasSize(3);
    }
    assertThat(statement).isGreaterThan(4);

    plans.end(1, 2);
    plans.forgetUpTo(2);
    assertThat(plans.there(blob("both"), blob("known"), blob("content 1"))).isEmpty();
  }

  @Test
  void areGivenBackOnceHoweverOftenThatBreaksOff() {
    var many =
        IntStream.range(0, 2 * ReleasedUses.MOST_USES + 100)
            .mapToObj(n -> blob("many " + n))
            .toList();
    plans.keep(1, many, Set.of());
    plans.keep(2, many.subList(0, 50), Set.of());
    plans.end(1);
    int statement = 0;
    boolean struck = true;
    while (struck) {
      statement++;
      struck =
          breakOff(
              statement,
              () -> get(store.forget(StoredPlanSamples.after(1), StoredPlanSamples.SLICE)));
    }
    assertThat(statement).isGreaterThan(5);

    plans.forgetUpTo(1);

    assertThat(plans.there(many)).hasSize(50);
    BlobCounts.check(kind, home);
  }

  @Test
  void leaveOrdinaryBatchesAlone() {
    var owner = PartitionOwner.of(store, 1);

    breakOff(1, () -> plans.keep(1, blob("a")));

    assertThat(owner.write()).isEqualTo(new Written(1));
    assertThat(get(store.forget(Instant.MAX, StoredPlanSamples.SLICE))).isZero();
  }

  @Test
  void areReadAgainWhenTheyCouldNotBe() {
    plans.keep(1, blob("a"));
    boolean struck = true;
    for (int statement = 1; struck; statement++) {
      struck = breakOff(statement, () -> plans.there(blob("a")));
      assertThat(plans.there(blob("a"))).hasSize(1);
    }
  }
}
