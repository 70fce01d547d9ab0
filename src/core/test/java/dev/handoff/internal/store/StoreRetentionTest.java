package dev.handoff.internal.store;

import static dev.handoff.internal.store.HistoryRows.FINISHED;
import static dev.handoff.internal.store.HistoryRows.id;
import static dev.handoff.internal.store.StageWait.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.handoff.internal.store.postgres.PostgresInternals;
import dev.handoff.internal.store.sqlite.SqliteInternals;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Retention of single types")
@ParameterizedClass
@EnumSource(StoreKind.class)
class StoreRetentionTest {

  private final StoreKind kind;
  private final StoreHome home;
  private final Store store;
  private final PartitionOwner owner;

  StoreRetentionTest(StoreKind kind) {
    this.kind = kind;
    home = new StoreHome(kind);
    store = home.open();
    owner = PartitionOwner.of(store, 0);
  }

  @AfterEach
  void close() {
    home.close();
  }

  private static HistoryRow of(long number, String kind, String type, String plan, Instant end) {
    return new HistoryRow(
        id(number),
        kind,
        "succeeded",
        type,
        "default",
        null,
        plan,
        "",
        1,
        HistoryRows.CREATED,
        end,
        HistoryRows.bytes("state"));
  }

  private static HistoryRow job(long number, String type, long second) {
    return of(number, "job", type, null, FINISHED.plusSeconds(second));
  }

  private static ForgetSlice slice(long before, boolean others, String... types) {
    return new ForgetSlice(HistoryPlace.START, FINISHED.plusSeconds(before), Set.of(types), others);
  }

  private Set<String> ids() {
    var ids = new TreeSet<String>();
    get(store.list(HistoryQuery.newest(10_000))).forEach(row -> ids.add(row.id()));
    return ids;
  }

  @Test
  void deletesTheOldJobsOfTheTypesThatAreNamed() {
    owner.write(
        job(1, "mail", 1),
        job(2, "audit", 2),
        job(3, "mail", 3),
        job(4, "mail", 10),
        of(5, "job", "mail", id(6), FINISHED),
        of(6, "plan", "mail", null, FINISHED));

    var forgotten = get(store.forget(slice(10, false, "mail")));

    assertThat(ids()).containsExactly(id(2), id(4), id(5), id(6));
    assertThat(forgotten)
        .isEqualTo(new ForgetProgress(new HistoryPlace(FINISHED.plusSeconds(3), id(3)), false));
    assertThat(get(store.historyCounts())).isEqualTo(Map.of("succeeded", 4L));
  }

  @Test
  void deletesEverythingButTheTypesThatLiveLonger() {
    owner.write(
        job(1, "mail", 1),
        job(2, "audit", 2),
        of(5, "job", "audit", id(6), FINISHED),
        of(6, "plan", "audit", null, FINISHED),
        job(7, "mail", 10));

    assertThat(get(store.forget(slice(10, true, "audit"))).more()).isFalse();

    assertThat(ids()).containsExactly(id(2), id(7));
  }

  @Test
  void givesBackWhatPlansHaveUsed() {
    var plans = new StoredPlanSamples(store);
    var content = StoredPlanSamples.blob("a content");
    plans.keep(1, content);
    plans.end(1);
    var all = new ForgetSlice(HistoryPlace.START, Instant.MAX, Set.of("x"), true);

    var place = HistoryPlace.START;
    boolean more = true;
    while (more) {
      var done = get(store.forget(new ForgetSlice(place, all.before(), all.types(), true)));
      place = done.next();
      more = done.more();
    }

    assertThat(ids()).isEmpty();
    assertThat(plans.there(content)).isEmpty();
  }

  /// Rows exceed one slice, and rows with the same end time exceed one slice.
  @Test
  void looksAtEachRowOnceAndGoesOnBehindIt() {
    long seed = System.nanoTime();
    var random = new Random(seed);
    var rows = new ArrayList<HistoryRow>();
    var expected = new TreeSet<String>();
    for (int number = 0; number < 3 * OldRows.LOOKED_AT + 7; number++) {
      long second = number < OldRows.LOOKED_AT + 50 ? 7 : random.nextInt(20);
      boolean mail = random.nextInt(10) == 0;
      rows.add(job(number, mail ? "mail" : "audit", second));
      if (!mail || second >= 15) {
        expected.add(id(number));
      }
    }
    for (int from = 0; from < rows.size(); from += 500) {
      owner.write(rows.subList(from, Math.min(rows.size(), from + 500)).toArray(HistoryRow[]::new));
    }

    int looks = 0;
    var done = new ForgetProgress(HistoryPlace.START, true);
    while (done.more()) {
      looks++;
      done =
          get(
              store.forget(
                  new ForgetSlice(done.next(), FINISHED.plusSeconds(15), Set.of("mail"), false)));
    }

    assertThat(ids()).as("seed %d", seed).isEqualTo(expected);
    long old =
        rows.stream().filter(row -> row.finishedAt().isBefore(FINISHED.plusSeconds(15))).count();
    assertThat(looks).as("seed %d", seed).isEqualTo((int) (old / OldRows.LOOKED_AT) + 1);
  }

  /// The owner can reopen a job between the look-up and the deletion.
  @Test
  void leavesAloneWhatHasEndedOnceMoreSinceItWasFound() throws SQLException {
    owner.write(job(1, "mail", 30));
    var found =
        new OldRows(
            List.of(new OldRows.OldRow(id(1), "succeeded", "job")), HistoryPlace.START, false);

    try (var writes = writes()) {
      assertThat(writes.forget(found, FINISHED.plusSeconds(10))).isTrue();
      assertThat(ids()).containsExactly(id(1));
      assertThat(writes.forget(found, FINISHED.plusSeconds(31))).isTrue();
    }
    assertThat(ids()).isEmpty();
  }

  /// Session in addition to those of the store.
  private StoreWrites writes() throws SQLException {
    assumeThat(kind).as("has tables that others can open").isNotEqualTo(StoreKind.MEMORY);
    var connection = DriverManager.getConnection(home.jdbcUrl());
    return kind == StoreKind.FILE
        ? SqliteInternals.writes(connection)
        : PostgresInternals.writes(connection);
  }
}
