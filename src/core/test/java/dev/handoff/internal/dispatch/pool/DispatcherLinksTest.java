package dev.handoff.internal.dispatch.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.dispatch.Dispatcher;
import dev.handoff.internal.dispatch.WorkerPool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The dispatchers of a pool")
class DispatcherLinksTest {

  private final DispatcherLinks links = new DispatcherLinks();
  private final List<TestInbox<Dispatcher.Command>> dispatchers = new ArrayList<>();

  DispatcherLinksTest() {
    for (int partition = 0; partition < 3; partition++) {
      dispatchers.add(TestInbox.create());
      links.meet(partition, ref(partition));
    }
  }

  private ActorRef<Dispatcher.Command> ref(int partition) {
    return dispatchers.get(partition).getRef();
  }

  private boolean register(int partition, long epoch, int dispatcher) {
    return links.register(new WorkerPool.Registered(partition, epoch, ref(dispatcher)), 0);
  }

  private void want(int partition, int workers, int spare, int idle, long seen) {
    links.get(partition).want(new WorkerPool.Want(partition, 1, seen, workers, spare, idle));
  }

  private void registerAll() {
    for (int partition = 0; partition < 3; partition++) {
      register(partition, 1, partition);
    }
  }

  @Test
  void aRegistrationIsNewsIfItIsOfAnotherEpochOrActor() {
    assertThat(register(0, 1, 1)).as("a dispatcher that was replaced").isFalse();
    assertThat(links.get(0)).isNull();
    assertThat(register(0, 1, 0)).isTrue();
    assertThat(register(0, 1, 0)).isFalse();
    assertThat(register(0, 2, 0)).isTrue();
    links.meet(0, ref(2));
    assertThat(register(0, 2, 0)).isFalse();
    assertThat(register(0, 2, 2)).isTrue();

    assertThat(links.get(0, 2)).isSameAs(links.get(0)).isNotNull();
    assertThat(links.get(0, 1)).isNull();
    assertThat(links.get(1, 1)).isNull();
  }

  @Test
  void aDispatcherThatIsGoneIsForgotten() {
    registerAll();

    links.remove(ref(1));

    assertThat(links.met()).containsExactly(ref(0), ref(2));
    assertThat(links.all()).extracting(link -> link.partition).containsExactly(0, 2);
  }

  @Test
  void aDispatcherIsSilentAfterSomeTime() {
    registerAll();
    links.get(0).answered(100);
    links.get(0).answered(50);
    assertThat(links.get(0).answeredAt()).isEqualTo(100);
    var time = Duration.ofNanos(10);

    assertThat(links.silentFor(time, 10)).isEmpty();
    assertThat(links.silentFor(time, 11)).hasSize(2);
    assertThat(links.silentFor(time, 110)).hasSize(2);
    assertThat(links.silentFor(time, 111)).hasSize(3);
  }

  @Test
  void thoseThatWantAWorkerTakeTurns() {
    registerAll();
    assertThat(links.nextWanting()).isNull();
    assertThat(links.isAnyWanting()).isFalse();
    want(0, 1, 0, 0, 0);
    want(2, 1, 0, 0, 0);
    assertThat(links.isAnyWanting()).isTrue();

    assertThat(links.nextWanting().partition).isZero();
    assertThat(links.nextWanting().partition).isEqualTo(2);
    assertThat(links.nextWanting().partition).isZero();
    want(0, 0, 1, 0, 0);
    assertThat(links.nextWanting().partition).isEqualTo(2);
    assertThat(links.nextWanting().partition).isEqualTo(2);
    assertThat(links.nextToLend().partition).isZero();
  }

  @Test
  void aDispatcherWantsWhatIsNotOnItsWayYet() {
    registerAll();
    var link = links.get(0);
    want(0, 2, 1, 0, 0);
    link.sent(5);
    link.sent(6);
    assertThat(link.isWanting()).isFalse();
    assertThat(link.wouldBorrow()).isTrue();
    link.sent(7);
    assertThat(link.wouldBorrow()).isFalse();

    want(0, 2, 0, 0, 6);
    assertThat(link.isWanting()).isTrue();
    link.sent(8);
    assertThat(link.isWanting()).isFalse();
  }

  @Test
  void whatIsIdleIsRecalledOnce() {
    registerAll();
    want(0, 0, 0, 2, 0);
    want(1, 0, 0, 3, 0);
    assertThat(links.idle()).isEqualTo(5);

    assertThat(links.get(0).recall()).isTrue();
    assertThat(links.get(0).recall()).isFalse();

    assertThat(links.get(0).idle()).isZero();
    assertThat(links.idle()).isEqualTo(3);
  }
}
