package dev.handoff.internal.dispatch;

import static dev.handoff.internal.dispatch.LoneDispatcher.FREE;
import static dev.handoff.internal.dispatch.LoneDispatcher.NOW;
import static dev.handoff.internal.dispatch.LoneDispatcher.id;
import static dev.handoff.internal.dispatch.LoneDispatcher.pool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.job.JobNotice;
import dev.handoff.internal.job.WorkerCredit;
import dev.handoff.internal.job.WorkerOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The pools of a dispatcher")
class PoolRegistryTest {

  private static final DispatchSettings SETTINGS =
      new DispatchSettings(
          4, 2, seconds(1), seconds(3), seconds(1), seconds(1), seconds(5), seconds(9));

  private final LoneDispatcher desk = new LoneDispatcher();
  private final PoolRegistry pools = desk.pools;
  private final DispatcherLinks links = new DispatcherLinks();
  private final List<TestInbox<Dispatcher.Command>> dispatchers = new ArrayList<>();
  private final List<TestInbox<Object>> workers = new ArrayList<>();

  private static Duration seconds(int count) {
    return Duration.ofSeconds(count);
  }

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

  private PoolWorker hire() {
    workers.add(TestInbox.create());
    return new PoolWorker("worker-" + workers.size(), workers.getLast().getRef());
  }

  private void meet(int partition) {
    dispatchers.add(TestInbox.create());
    var ref = dispatchers.getLast().getRef();
    links.meet(partition, ref);
    links.register(new WorkerPool.Registered(partition, 5, ref), 0);
  }

  private void wants(int partition, int workers, int spare, int idle) {
    links.get(partition).want(want(0, workers, spare, idle));
  }

  private PlaceSharing sharing(int places, WorkerRoster roster) {
    meet(0);
    meet(1);
    return new PlaceSharing(
        places, roster, links, new DispatcherSender(introduction(1, false, "t"), links));
  }

  private List<Dispatcher.Command> told(int partition) {
    return dispatchers.get(partition).getAllReceived();
  }

  private Dispatcher.Command credited(int worker) {
    var orders = workers.get(worker - 1).getRef().<WorkerOrder>narrow();
    return new PoolMessage.Credited(
        5, new WorkerCredit(pool(1), worker, "worker-" + worker, orders));
  }

  @Test
  void giveTheirPlacesInTurnAndThenLendSome() {
    var roster = new WorkerRoster(4, this::hire);
    var sharing = sharing(4, roster);
    wants(0, 1, 2, 0);

    sharing.share(false);
    assertThat(roster.busy()).isZero();
    sharing.share(true);

    assertThat(told(0)).containsExactly(credited(1), credited(2));
    assertThat(workers.getFirst().getAllReceived()).containsExactly(new Worker.Offer(1));
    assertThat(sharing.lastCredit()).isEqualTo(2);
    assertThat(roster.of(1).partition).isZero();
    wants(1, 9, 0, 0);
    sharing.share(true);
    assertThat(told(1)).containsExactly(credited(3), credited(4));
    assertThat(told(0)).isEmpty();
  }

  @Test
  void areBusyWithWhatIsNotLent() {
    var roster = new WorkerRoster(4, this::hire);
    var sharing = sharing(4, roster);
    wants(0, 3, 0, 0);
    sharing.share(true);
    assertThat(sharing.busy()).isEqualTo(3);

    links.get(0).want(want(3, 0, 0, 1));
    assertThat(sharing.busy()).isEqualTo(2);
    links.get(0).want(want(3, 0, 0, 9));
    assertThat(sharing.busy()).isZero();
  }

  @Test
  void recallWhatTheyHaveLentWhenThereIsNoPlace() {
    var roster = new WorkerRoster(2, this::hire);
    var sharing = sharing(2, roster);
    wants(0, 2, 0, 0);
    sharing.share(true);
    told(0);
    wants(0, 0, 0, 1);
    sharing.share(true);
    assertThat(told(0)).as("nobody wants one").isEmpty();
    wants(1, 1, 0, 0);

    sharing.share(true);
    sharing.share(true);

    assertThat(told(0)).containsExactly(new PoolMessage.Recall(pool(1)));
    assertThat(told(1)).isEmpty();
  }

  @Test
  void letWhoHasWaitedForAChildGoOnFirst() {
    var roster = new WorkerRoster(1, this::hire);
    var sharing = sharing(1, roster);
    var worker = roster.give(7, 0);
    roster.park(worker, id(1), 2);
    roster.mayReturn(worker);
    wants(0, 1, 0, 0);

    sharing.share(true);

    assertThat(workers.getFirst().getAllReceived()).containsExactly(new Worker.GoOn(7, 2));
    assertThat(told(0)).isEmpty();
  }

  @Test
  void lendFourWorkersOrHalfOfFewer() {
    assertThat(PlaceSharing.lends(1)).isZero();
    assertThat(PlaceSharing.lends(2)).isEqualTo(1);
    assertThat(PlaceSharing.lends(7)).isEqualTo(3);
    assertThat(PlaceSharing.lends(8)).isEqualTo(4);
    assertThat(PlaceSharing.lends(100)).isEqualTo(4);
  }

  @Test
  void tellDispatchersOfThemselvesAndTheirWorkers() {
    meet(0);
    meet(1);
    var own = introduction(1, false, "t");
    var to = new DispatcherSender(own, links);
    var roster = new WorkerRoster(3, this::hire);
    var working = roster.give(1, 0);
    var parked = roster.give(2, 1);
    roster.park(parked, id(7), 3);

    to.register(links.get(0).dispatcher);
    to.leave(links.get(0).dispatcher);
    assertThat(told(0)).containsExactly(own, new PoolMessage.Leave(pool(1)));
    to.beat(99, 2, roster.given());
    assertThat(told(0)).containsExactly(new PoolMessage.Beat(pool(1), 99, 2, List.of(1L)));
    assertThat(told(1)).containsExactly(new PoolMessage.Beat(pool(1), 99, 2, List.of(2L)));
    to.waiting(working);
    to.waiting(parked);
    parked.doing = PoolWorker.Doing.ASKING;
    to.waiting(parked);
    parked.doing = PoolWorker.Doing.RETURNING;
    to.waiting(parked);
    assertThat(told(1))
        .containsExactly(
            new PoolMessage.Parked(pool(1), 2, id(7), 3),
            new PoolMessage.Unpark(pool(1), 2, id(7), 3));
    parked.doing = PoolWorker.Doing.PARKED;
    parked.partition = 9;
    to.waiting(parked);
    assertThat(told(0)).isEmpty();
  }

  @Test
  void haveLeasesThatCountWhileTheyAreAwake() {
    meet(0);
    var leases = new WorkerLeases(links, SETTINGS, 0);
    long second = seconds(1).toNanos();

    assertThat(leases.over(second)).isEmpty();
    assertThat(leases.over(2 * second)).isEmpty();
    assertThat(leases.over(3 * second)).isEmpty();
    assertThat(leases.over(3 * second + 1)).hasSize(1);
    assertThat(leases.over(5 * second + 1)).as("it slept").isEmpty();
    assertThat(leases.over(7 * second)).as("it did not").hasSize(1);
    links.get(0).answered(6 * second);
    assertThat(leases.over(8 * second)).isEmpty();
  }
}
