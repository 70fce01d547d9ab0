package dev.handoff.internal.dispatch;

import static dev.handoff.internal.dispatch.LoneDispatcher.FREE;
import static dev.handoff.internal.dispatch.LoneDispatcher.NOW;
import static dev.handoff.internal.dispatch.LoneDispatcher.id;
import static dev.handoff.internal.dispatch.LoneDispatcher.pool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.job.JobNotice;
import java.util.Map;
import java.util.Set;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The pools of a dispatcher")
class PoolRegistryTest {

  private final LoneDispatcher desk = new LoneDispatcher();
  private final PoolRegistry pools = desk.pools;

  private PoolMessage.Register introduction(int number, boolean remote, String... types) {
    var inbox = TestInbox.<WorkerPool.Command>create();
    desk.poolInboxes.put(pool(number), inbox);
    return new PoolMessage.Register(pool(number), Set.of(types), 4, 2, remote, inbox.getRef());
  }

  @Test
  void areRegisteredOnce() {
    var register = introduction(1, false, "a", "b");

    assertThat(pools.register(register)).isTrue();
    assertThat(pools.register(register)).isFalse();

    assertThat(pools.types()).containsExactlyInAnyOrder("a", "b");
    assertThat(pools.of(register.ref())).isSameAs(pools.get(pool(1))).isNotNull();
    assertThat(pools.of(desk.self.getRef())).isNull();
    assertThat(pools.all()).hasSize(1);
  }

  @Test
  void runNothingNewWhenTheyLeave() {
    pools.register(introduction(1, false, "a"));
    pools.register(introduction(2, false, "b"));

    pools.leave(pool(1));
    pools.leave(pool(9));

    assertThat(pools.types()).containsExactly("b");
    assertThat(pools.get(pool(1)).isLeaving()).isTrue();
    pools.remove(pools.get(pool(2)));
    assertThat(pools.types()).isEmpty();
    assertThat(pools.get(pool(2))).isNull();
  }

  /// An unused order must not be updated any more.
  @Test
  void takeTheirLineupAlongWhenTheyGo() {
    pools.register(introduction(1, false, "t"));
    var order = pools.get(pool(1)).order;
    pools.remove(pools.get(pool(1)));
    desk.enter(desk.job(1, FREE));

    assertThat(order.wanted(9)).isZero();
    pools.register(introduction(2, false, "t"));
    assertThat(pools.get(pool(2)).order.wanted(9)).isEqualTo(1);
  }

  @Test
  void areLostIfTheyAreRemoteAndSilent() {
    pools.register(introduction(1, true, "a"));
    pools.register(introduction(2, false, "b"));

    assertThat(pools.tick(1)).isEmpty();
    assertThat(pools.tick(1)).extracting(link -> link.id).containsExactly(pool(1));
    pools.get(pool(1)).heard(0);
    assertThat(pools.tick(1)).isEmpty();
  }

  private WorkerPool.Want want(long seen, int workers, int spare, int idle) {
    return new WorkerPool.Want(3, 5, seen, workers, spare, idle);
  }

  @Test
  void areToldWhatIsWantedOfThem() {
    desk.register(1);
    pools.tell(3, 5, true);
    assertThat(desk.toldPool(1)).containsExactly(want(0, 0, 1, 0));
    pools.tell(3, 5, true);
    assertThat(desk.toldPool(1)).isEmpty();
    for (int job = 1; job <= 6; job++) {
      desk.enter(desk.job(job, FREE));
    }
    pools.tell(3, 5, true);
    assertThat(desk.toldPool(1)).containsExactly(want(0, 4, 0, 0));
    pools.tell(3, 5, false);
    assertThat(desk.toldPool(1)).containsExactly(want(0, 0, 0, 0));
    pools.leave(pool(1));
    pools.tell(3, 5, true);
    assertThat(desk.toldPool(1)).isEmpty();
  }

  @Test
  void lendWorkers() {
    var link = desk.register(1);
    assertThat(pools.lenderFor("t")).isNull();
    assertThat(pools.spares()).isZero();
    link.spare.keep(desk.credit(1, 1));

    assertThat(pools.lenderFor("t")).isSameAs(link);
    assertThat(pools.lenderFor("other")).isNull();
    assertThat(pools.spares()).isEqualTo(1);
  }

  @Test
  void areCountedWithWhatTheyDo() {
    desk.register(1);
    desk.enter(desk.job(1, FREE));
    desk.enter(desk.job(2, FREE));
    desk.ready.add(
        new JobNotice.Ready(id(3), "odd", "later", 0, NOW.plusSeconds(5), desk.ref(3)), NOW);
    desk.enter(new JobNotice.Ready(id(4), "odd", "q", 0, NOW, desk.ref(4)));
    desk.offers.credited(desk.credit(1, 1), desk.attempts);
    desk.attempts.begin(desk.handed(9, 1, "runs", desk.credit(1, 2)));

    var load =
        new LoadReport(desk.ready, desk.offers.all(), desk.attempts.all()).load(3, pools.types());

    assertThat(load)
        .isEqualTo(
            new Dispatcher.Load(
                3,
                Map.of(
                    FREE,
                    new Dispatcher.QueueLoad(2, 0, 0),
                    "q",
                    new Dispatcher.QueueLoad(1, 0, 0),
                    "later",
                    new Dispatcher.QueueLoad(0, 1, 0),
                    "runs",
                    new Dispatcher.QueueLoad(0, 0, 1)),
                Set.of("odd")));
  }
}
