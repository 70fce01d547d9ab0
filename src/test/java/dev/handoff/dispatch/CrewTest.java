package dev.handoff.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.dispatch.Member.Doing;
import dev.handoff.job.JobId;
import dev.handoff.ledger.Ulid;
import dev.handoff.testing.Seeds;
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

/// Against a model that only counts: what each worker that was given away holds.
@DisplayName("A crew")
class CrewTest {

  private static final JobId JOB = new JobId(new Ulid(new Random(1)).next(0, 0));

  private final Map<Member, Doing> model = new LinkedHashMap<>();

  /// Those that were given up while they waited: their code runs, and nobody could help it.
  private final Set<Member> extra = new HashSet<>();

  private int places;
  private Crew crew;
  private int hired;
  private int gone;
  private long credits;

  private void begin(int places) {
    this.places = places;
    model.clear();
    hired = 0;
    gone = 0;
    extra.clear();
    crew = new Crew(places, this::hire);
  }

  private Member hire() {
    return new Member("worker-" + ++hired, TestInbox.<Object>create().getRef());
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

    assertThat(crew.hasRoom()).isFalse();
    assertThat(crew.given()).hasSize(4);
    assertThat(crew.isDone()).isFalse();
    release(any(Doing.REPORTING, new Random(1)));
    assertThat(crew.hasRoom()).isFalse();
    release(any(Doing.WORKING, new Random(1)));
    assertThat(crew.hasRoom()).isTrue();
  }

  @Test
  void neverGivesMorePlacesThanThereAreAndLosesNone() {
    Seeds.each(
        100,
        random -> {
          begin(1 + random.nextInt(5));
          for (int step = 0; step < 300; step++) {
            step(random);
            check();
          }
          releaseAll();
          check();

          assertThat(crew.isDone()).isTrue();
          for (int place = 0; place < places; place++) {
            give();
          }
          assertThat(crew.hasRoom()).isFalse();
        });
  }

  private void step(Random random) {
    switch (random.nextInt(9)) {
      case 0, 1 -> {
        if (crew.hasRoom()) {
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
    for (var back = crew.nextReturn(); back != null; back = crew.nextReturn()) {
      assertThat(model.put(back, Doing.WORKING)).isEqualTo(Doing.RETURNING);
      assertThat(count(Doing.WORKING) + count(Doing.ABANDONED)).isLessThanOrEqualTo(places);
    }
  }

  /// One that was given away and does this; null if there is none.
  private @Nullable Member any(@Nullable Doing doing, Random random) {
    var able = new ArrayList<Member>();
    model.forEach(
        (member, does) -> {
          if (doing == null || does == doing) {
            able.add(member);
          }
        });
    return able.isEmpty() ? null : able.get(random.nextInt(able.size()));
  }

  private static void with(@Nullable Member member, Consumer<Member> what) {
    if (member != null) {
      what.accept(member);
    }
  }

  private void give() {
    var member = crew.give(++credits, 0);
    assertThat(crew.get(member.name)).isSameAs(member);
    assertThat(crew.of(credits)).isSameAs(member);
    assertThat(model.put(member, Doing.WORKING)).isNull();
  }

  private void report(Member member) {
    crew.report(member);
    if (count(Doing.REPORTING) < places) {
      model.put(member, Doing.REPORTING);
    }
  }

  private void park(Member member) {
    crew.park(member, JOB, member.round + 1);
    model.put(member, Doing.PARKED);
  }

  /// As the pool does when a thread wants to go on.
  private void ask(Member member) {
    member.doing = Doing.ASKING;
    model.put(member, Doing.ASKING);
  }

  private void mayReturn(Member member) {
    crew.mayReturn(member);
    model.put(member, Doing.RETURNING);
  }

  private void abandon(Member member) {
    var did = model.get(member);
    if (did != Doing.ABANDONED && did != Doing.REPORTING) {
      crew.abandon(member);
      model.put(member, Doing.ABANDONED);
      if (did.isWaiting()) {
        extra.add(member);
      }
    }
  }

  private void release(Member member) {
    long credit = member.credit;
    var dismissed = crew.release(member);
    forget(member);
    if (dismissed != null) {
      assertThat(dismissed).isSameAs(member);
      assertThat(crew.get(member.name)).isNull();
      gone++;
    }
    assertThat(crew.of(credit)).isNull();
  }

  private void lose(Member member) {
    crew.lose(member);
    forget(member);
    gone++;
    assertThat(crew.get(member.name)).isNull();
  }

  private void forget(Member member) {
    model.remove(member);
    extra.remove(member);
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
    assertThat(crew.given()).containsExactlyInAnyOrderElementsOf(model.keySet());
    assertThat(crew.busy()).isEqualTo(busy).isLessThanOrEqualTo(places + extra.size());
    assertThat(crew.hasRoom()).isEqualTo(busy < places);
    assertThat(crew.waiting()).isEqualTo(waiting);
    assertThat(crew.abandoned()).isEqualTo(count(Doing.ABANDONED));
    assertThat(crew.isDone()).isEqualTo(model.size() == count(Doing.ABANDONED));
    assertThat(hired - gone).isBetween(model.size(), model.size() + places);
    model.forEach((member, doing) -> assertThat(member.doing).isEqualTo(doing));
  }
}
