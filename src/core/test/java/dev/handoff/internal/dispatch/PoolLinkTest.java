package dev.handoff.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.dispatch.ready.FairOrder;
import dev.handoff.internal.dispatch.ready.ReadyJobs;
import dev.handoff.internal.job.PoolId;
import dev.handoff.internal.job.WorkerCredit;
import dev.handoff.internal.job.WorkerOrder;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A pool seen by a dispatcher")
class PoolLinkTest {

  private final TestInbox<WorkerPool.Command> pool = TestInbox.create();
  private final FairOrder order = new ReadyJobs(queue -> 1, queue -> null).order(Set.of("t"));

  private PoolLink link(int workers, int lends) {
    var id = new PoolId("pool-1");
    return new PoolLink(
        new PoolMessage.Register(id, Set.of("t"), workers, lends, true, pool.getRef()), order);
  }

  private static PoolLink told(PoolLink link, int wanted, int spare) {
    link.told(wanted, spare);
    return link;
  }

  @Test
  void creditsOfAPoolRise() {
    var link = link(4, 1);

    assertThat(link.receive(3)).isTrue();
    assertThat(link.receive(3)).isFalse();
    assertThat(link.receive(2)).isFalse();
    link.heard(5);
    link.heard(4);
    assertThat(link.seen()).isEqualTo(5);
    assertThat(link.receive(5)).isFalse();
    assertThat(link.receive(6)).isTrue();
  }

  @Test
  void aPoolIsSilentUntilItIsHeard() {
    var link = link(4, 1);
    link.tick();
    link.tick();
    assertThat(link.silence()).isEqualTo(2);

    link.heard(0);

    assertThat(link.silence()).isZero();
  }

  @Test
  void aPoolIsToldWhatIsNews() {
    var link = link(16, 1);
    assertThat(link.isNews(0, 0)).as("the first time").isTrue();
    told(link, 0, 0);
    assertThat(link.isNews(0, 0)).isFalse();
    assertThat(link.isNews(1, 0)).as("from nothing to something").isTrue();
    assertThat(link.isNews(0, 1)).as("another spare").isTrue();
    link.tick();
    assertThat(link.isNews(0, 0)).as("after a heartbeat").isTrue();
  }

  @Test
  void aPoolIsNotToldEachStepOfALongQueue() {
    var link = told(link(16, 1), 10, 0);

    assertThat(link.isNews(10, 0)).isFalse();
    assertThat(link.isNews(12, 0)).isFalse();
    assertThat(link.isNews(13, 0)).isTrue();
    assertThat(link.isNews(9, 0)).as("less").isTrue();
    link.receive(1);
    link.receive(2);
    assertThat(link.isNews(10, 0)).as("two have arrived").isFalse();
    link.receive(3);
    assertThat(link.isNews(10, 0)).as("three have arrived").isTrue();
    for (int credit = 4; credit < 20; credit++) {
      link.receive(credit);
    }
    assertThat(link.isNews(0, 0)).isFalse();
  }

  @Test
  void aPoolIsToldHowManyOfItsWorkersAreAtHand() {
    var link = told(link(16, 1), 0, 0);
    var workers = TestInbox.<WorkerOrder>create();
    link.spare.keep(new WorkerCredit(link.id, 1, "w", workers.getRef()));

    assertThat(link.isNews(0, 0)).isTrue();
    assertThat(told(link, 0, 0).isNews(0, 0)).isFalse();
  }

  @Test
  void atHandAreAsManyWorkersAsThePoolLends() {
    var spare = new SpareCredits(2);
    var id = new PoolId("pool-1");
    var workers = TestInbox.<WorkerOrder>create();
    var credits =
        List.of(1, 2, 3).stream()
            .map(number -> new WorkerCredit(id, number, "w", workers.getRef()))
            .toList();

    assertThat(spare.keep(credits.get(0))).isTrue();
    assertThat(spare.room()).isEqualTo(1);
    assertThat(spare.keep(credits.get(1))).isTrue();
    assertThat(spare.keep(credits.get(2))).isFalse();
    assertThat(spare.size()).isEqualTo(2);
    assertThat(spare.has(credits.get(1))).isTrue();
    assertThat(spare.has(credits.get(2))).isFalse();
    var listed = new HashSet<>(Set.of(1L, 9L));
    spare.compare(listed, 1);
    assertThat(listed).containsExactly(9L);
    assertThat(spare.size()).isEqualTo(2);
    spare.compare(new HashSet<>(Set.of(1L)), 2);
    assertThat(spare.take()).isEqualTo(credits.get(0));
    assertThat(spare.take()).isNull();
    spare.keep(credits.get(2));
    assertThat(spare.takeAll()).containsExactly(credits.get(2));
    assertThat(spare.size()).isZero();
  }
}
