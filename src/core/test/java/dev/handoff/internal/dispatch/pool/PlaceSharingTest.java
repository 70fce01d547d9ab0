package dev.handoff.internal.dispatch.pool;

import static dev.handoff.internal.dispatch.LoneDispatcher.id;
import static dev.handoff.internal.dispatch.LoneDispatcher.pool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.dispatch.DispatchSettings;
import dev.handoff.internal.dispatch.Dispatcher;
import dev.handoff.internal.dispatch.PoolMessage;
import dev.handoff.internal.dispatch.WorkerPool;
import dev.handoff.internal.dispatch.worker.Worker;
import dev.handoff.internal.job.WorkerCredit;
import dev.handoff.internal.job.WorkerOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The places of a pool")
class PlaceSharingTest {

  private static final DispatchSettings SETTINGS =
      new DispatchSettings(
          4, 2, seconds(1), seconds(3), seconds(1), seconds(1), seconds(5), seconds(9));

  private final DispatcherLinks links = new DispatcherLinks();
  private final List<TestInbox<Dispatcher.Command>> dispatchers = new ArrayList<>();
  private final List<TestInbox<Object>> workers = new ArrayList<>();

  private static Duration seconds(int count) {
    return Duration.ofSeconds(count);
  }

  private static WorkerPool.Want want(long seen, int workers, int spare, int idle) {
    return new WorkerPool.Want(3, 5, seen, workers, spare, idle);
  }

  private static PoolMessage.Register introduction() {
    return new PoolMessage.Register(
        pool(1), Set.of("t"), 4, 2, false, TestInbox.<WorkerPool.Command>create().getRef());
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
    return new PlaceSharing(places, roster, links, new DispatcherSender(introduction(), links));
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
    var own = introduction();
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
