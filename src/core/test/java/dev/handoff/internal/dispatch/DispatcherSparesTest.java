package dev.handoff.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.job.PartitionNotice;
import dev.handoff.internal.job.WorkerCredit;
import dev.handoff.testing.TestActors;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A dispatcher with workers at hand")
class DispatcherSparesTest {

  @RegisterExtension static final TestActors actors = TestActors.inManualTime();

  private final DispatcherBench bench = new DispatcherBench(actors).withoutRules();
  private final DispatcherBench.Pool pool = bench.lendingPool("pool", 4, 2, "t");

  @Test
  void wantsWhatItIsLentAndNoMore() {
    assertThat(wanted(0, 2, 0)).isNotNull();

    pool.gives();
    wanted(0, 1, 1);
    pool.gives();
    wanted(0, 0, 2);

    long tooMany = pool.gives().number();

    assertThat(pool.getsBack()).isEqualTo(tooMany);
  }

  @Test
  void offersOneToAJobThatIsAboutToBeReady() {
    var kept = kept();
    var job = bench.job("t", "q");

    job.isAboutToBeReady();

    assertThat(job.offered()).isEqualTo(kept);
    wanted(0, 2, 0);
    job.takes(kept);
    assertThat(bench.load().queues().get("q").running()).isEqualTo(1);
  }

  @Test
  void offersOneToAJobThatIsReady() {
    var kept = kept();

    assertThat(bench.job("t", "q").ready().offered()).isEqualTo(kept);
  }

  @Test
  void keepsOneForTheNextThatAJobDeclines() {
    var kept = kept();
    var job = bench.job("t", "q");
    job.isAboutToBeReady();
    job.offered();
    wanted(0, 2, 0);

    job.declines(kept);

    wanted(0, 1, 1);
    var next = bench.job("t", "q");
    next.isAboutToBeReady();
    assertThat(next.offered()).isEqualTo(kept);
  }

  @Test
  void hasNoneForAJobBeforeWhichAnotherIsReady() {
    var kept = kept();
    var first = bench.job("t", "q").ready();
    var second = bench.job("t", "q");

    second.isAboutToBeReady();

    assertThat(first.offered()).isEqualTo(kept);
    second.hearsThatThereIsNone();
  }

  @Test
  void hasNoneForAnotherTypeOrAQueueWithARule() {
    kept();
    bench.rules(
        1,
        Map.of("paused", new QueueRule(true, null), "limited", new QueueRule(false, 2)),
        Map.of("limited", 7L));
    var strange = bench.job("other", "q");
    var paused = bench.job("t", "paused");
    var limited = bench.job("t", "limited");

    strange.isAboutToBeReady();
    paused.isAboutToBeReady();
    limited.isAboutToBeReady();

    strange.hearsThatThereIsNone();
    paused.hearsThatThereIsNone();
    limited.hearsThatThereIsNone();
  }

  @Test
  void givesThemBackWhileTheStoreIsAway() {
    var kept = kept();

    bench.tell(new Dispatcher.Hold(true));

    expectReturnOf(kept);
    bench.tell(new Dispatcher.Hold(false));
    wanted(0, 2, 0);
  }

  @Test
  void givesThemBackWhenTheEngineStops() {
    var kept = kept();

    bench.tell(Dispatcher.Drain.INSTANCE);

    expectReturnOf(kept);
  }

  @Test
  void givesThemBackToAPoolThatLeaves() {
    var kept = kept();

    pool.leaves();

    expectReturnOf(kept);
  }

  @Test
  void givesThemBackToAPoolThatNeedsThem() {
    var kept = kept();

    bench.tell(new PoolMessage.Recall(pool.id));

    assertThat(pool.getsBack()).isEqualTo(kept.number());
    wanted(0, 2, 0);
  }

  private void expectReturnOf(WorkerCredit kept) {
    assertThat(pool.getsBack()).isEqualTo(kept.number());
    wanted(0, 0, 0);
    var job = bench.job("t", "q");
    job.isAboutToBeReady();
    job.hearsThatThereIsNone();
  }

  @Test
  void knowsThemInAHeartbeatAndDropsWhatIsNotListed() {
    var kept = kept();
    pool.sends(kept);
    pool.beats();
    wantedAfterBeat(1);

    pool.closes(kept);
    pool.beats();

    wantedAfterBeat(0);
    var job = bench.job("t", "q");
    job.isAboutToBeReady();
    job.hearsThatThereIsNone();
  }

  /// A heartbeat repeats the whole demand; no worker was given back before.
  private void wantedAfterBeat(int idle) {
    bench.beat();
    WorkerPool.Command said = pool.probe.receiveMessage();
    while (!(said instanceof WorkerPool.Want want && want.idle() == idle)) {
      assertThat(said).isNotInstanceOf(WorkerPool.GiveBack.class);
      said = pool.probe.receiveMessage();
    }
  }

  @Test
  void tellsItsPartitionHowManyThereAre() {
    kept();
    expectAtHand(1);

    bench.job("t", "q").ready().offered();

    expectAtHand(0);
  }

  /// The partition subtracts a worker for each job that asks.
  @Test
  void tellsItAgainAfterAQuestionThatCameToNothing() {
    kept();
    expectAtHand(1);

    bench.job("other", "q").isAboutToBeReady();

    expectAtHand(1);
  }

  private void expectAtHand(int count) {
    assertThat(bench.partition.receiveMessage())
        .isEqualTo(new PartitionNotice.WorkersAtHand(count));
  }

  private WorkerCredit kept() {
    var credit = pool.gives();
    wanted(0, 1, 1);
    return credit;
  }

  private WorkerPool.Want wanted(int workers, int spare, int idle) {
    var want = pool.wanted();
    boolean meant = want.workers() == workers && want.spare() == spare && want.idle() == idle;
    return meant ? want : wanted(workers, spare, idle);
  }
}
