package dev.handoff.internal.dispatch.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobId;
import dev.handoff.internal.dispatch.pool.PoolWorker.Doing;
import dev.handoff.internal.text.Ulid;
import dev.handoff.testing.RandomSeeds;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Compares the roster with a model that only tracks the state of each worker in use.
@DisplayName("A crew")
class WorkerRosterTest {

  private static final JobId JOB = new JobId(new Ulid(new Random(1)).next(0, 0));

  private final Map<PoolWorker, Doing> model = new LinkedHashMap<>();

  /// Workers abandoned while parked: their code runs beyond the number of places.
  private final Set<PoolWorker> extra = new HashSet<>();

  private int places;
  private WorkerRoster roster;
  private int hired;
  private int gone;
  private long credits;

  private void begin(int places) {
    this.places = places;
    model.clear();
    hired = 0;
    gone = 0;
    extra.clear();
    roster = new WorkerRoster(places, this::hire);
  }

  private PoolWorker hire() {
    return new PoolWorker("worker-" + ++hired, TestInbox.<Object>create().getRef());
  }

  @Test
  void hiresNobodyBeforeThereIsWork() {
    begin(3);

    assertThat(hired).isZero();
    give();
    release(any(Doing.WORKING, new Random(1)));
    give();
    assertThat(hired).isEqualTo(1);
  }

  @Test
  void doesNotLetMoreReportsWaitThanThereArePlaces() {
    begin(2);
    for (int attempt = 0; attempt < 4; attempt++) {
      give();
      report(any(Doing.WORKING, new Random(attempt)));
    }

    assertThat(roster.hasRoom()).isFalse();
    assertThat(roster.given()).hasSize(4);
    assertThat(roster.isDone()).isFalse();
    release(any(Doing.REPORTING, new Random(1)));
    assertThat(roster.hasRoom()).isFalse();
    release(any(Doing.WORKING, new Random(1)));
    assertThat(roster.hasRoom()).isTrue();
  }

  @Test
  void knowsEachWorkerByItsActor() {
    begin(2);
    var first = roster.give(++credits, 0);
    var second = roster.give(++credits, 0);

    assertThat(roster.of(first.ref)).isSameAs(first);
    assertThat(roster.of(second.ref)).isSameAs(second);
    assertThat(roster.of(TestInbox.<Object>create().getRef())).isNull();
  }

  @Test
  void countsTheThreadsThatWaitForAProcessorUntilTheyRunOrTheirAttemptIsOver() {
    begin(4);
    var runs = roster.give(++credits, 0);
    var reports = roster.give(++credits, 0);
    var isReleased = roster.give(++credits, 0);
    var isLost = roster.give(++credits, 0);
    for (var worker : List.of(runs, reports, isReleased, isLost, isLost)) {
      roster.holdUp(worker);
    }
    assertThat(roster.heldUp()).isEqualTo(4);

    roster.begin(runs);
    assertThat(roster.heldUp()).isEqualTo(3);
    roster.report(reports);
    assertThat(roster.heldUp()).isEqualTo(2);
    roster.release(isReleased);
    assertThat(roster.heldUp()).isEqualTo(1);
    roster.lose(isLost);
    assertThat(roster.heldUp()).isZero();
  }

  @Test
  void neverGivesMorePlacesThanThereAreAndLosesNone() {
    RandomSeeds.each(
        100,
        random -> {
          begin(1 + random.nextInt(5));
          for (int step = 0; step < 300; step++) {
            step(random);
            check();
          }
          releaseAll();
          check();

          assertThat(roster.isDone()).isTrue();
          for (int place = 0; place < places; place++) {
            give();
          }
          assertThat(roster.hasRoom()).isFalse();
        });
  }

  private void step(Random random) {
    switch (random.nextInt(9)) {
      case 0, 1 -> {
        if (roster.hasRoom()) {
          give();
        }
      }
      case 2 -> with(any(Doing.WORKING, random), this::report);
      case 3 -> with(any(Doing.WORKING, random), this::park);
      case 4 -> with(any(Doing.PARKED, random), this::ask);
      case 5 -> with(any(Doing.ASKING, random), this::mayReturn);
      case 6 -> with(any(null, random), this::abandon);
      case 7 -> with(any(null, random), this::release);
      default -> {
        if (random.nextInt(4) == 0) {
          with(any(null, random), this::lose);
        }
      }
    }
    for (var back = roster.nextReturn(); back != null; back = roster.nextReturn()) {
      assertThat(model.put(back, Doing.WORKING)).isEqualTo(Doing.RETURNING);
      assertThat(count(Doing.WORKING) + count(Doing.ABANDONED)).isLessThanOrEqualTo(places);
    }
  }

  /// Random worker in use with this state (null = any state); null if there is none.
  private @Nullable PoolWorker any(@Nullable Doing doing, Random random) {
    var able = new ArrayList<PoolWorker>();
    model.forEach(
        (worker, does) -> {
          if (doing == null || does == doing) {
            able.add(worker);
          }
        });
    return able.isEmpty() ? null : able.get(random.nextInt(able.size()));
  }

  private static void with(@Nullable PoolWorker worker, Consumer<PoolWorker> what) {
    if (worker != null) {
      what.accept(worker);
    }
  }

  private void give() {
    var worker = roster.give(++credits, 0);
    assertThat(roster.get(worker.name)).isSameAs(worker);
    assertThat(roster.of(credits)).isSameAs(worker);
    assertThat(model.put(worker, Doing.WORKING)).isNull();
  }

  private void report(PoolWorker worker) {
    roster.report(worker);
    if (count(Doing.REPORTING) < places) {
      model.put(worker, Doing.REPORTING);
    }
  }

  private void park(PoolWorker worker) {
    roster.park(worker, JOB, worker.round + 1);
    model.put(worker, Doing.PARKED);
  }

  /// Marks a worker as the pool does when its thread asks to continue.
  private void ask(PoolWorker worker) {
    worker.doing = Doing.ASKING;
    model.put(worker, Doing.ASKING);
  }

  private void mayReturn(PoolWorker worker) {
    roster.mayReturn(worker);
    model.put(worker, Doing.RETURNING);
  }

  private void abandon(PoolWorker worker) {
    var did = model.get(worker);
    if (did != Doing.ABANDONED && did != Doing.REPORTING) {
      roster.abandon(worker);
      model.put(worker, Doing.ABANDONED);
      if (did.isWaiting()) {
        extra.add(worker);
      }
    }
  }

  private void release(PoolWorker worker) {
    long credit = worker.credit;
    var dismissed = roster.release(worker);
    forget(worker);
    if (dismissed != null) {
      assertThat(dismissed).isSameAs(worker);
      assertThat(roster.get(worker.name)).isNull();
      gone++;
    }
    assertThat(roster.of(credit)).isNull();
  }

  private void lose(PoolWorker worker) {
    roster.lose(worker);
    forget(worker);
    gone++;
    assertThat(roster.get(worker.name)).isNull();
  }

  private void forget(PoolWorker worker) {
    model.remove(worker);
    extra.remove(worker);
  }

  private void releaseAll() {
    List.copyOf(model.keySet()).forEach(this::release);
  }

  private int count(Doing doing) {
    return (int) model.values().stream().filter(doing::equals).count();
  }

  private void check() {
    int busy = count(Doing.WORKING) + count(Doing.ABANDONED);
    int waiting = (int) model.values().stream().filter(Doing::isWaiting).count();
    assertThat(roster.given()).containsExactlyInAnyOrderElementsOf(model.keySet());
    assertThat(roster.busy()).isEqualTo(busy).isLessThanOrEqualTo(places + extra.size());
    assertThat(roster.hasRoom()).isEqualTo(busy < places);
    assertThat(roster.waiting()).isEqualTo(waiting);
    assertThat(roster.abandoned()).isEqualTo(count(Doing.ABANDONED));
    assertThat(roster.isDone()).isEqualTo(model.size() == count(Doing.ABANDONED));
    assertThat(hired - gone).isBetween(model.size(), model.size() + places);
    model.forEach((worker, doing) -> assertThat(worker.doing).isEqualTo(doing));
  }
}
