package dev.handoff.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobId;
import dev.handoff.internal.job.WorkerCredit;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A dispatcher of queues with rules")
class DispatcherLimitsTest {

  private static final long ERA = 7;

  @RegisterExtension static final TestActors actors = TestActors.inManualTime();

  private final DispatcherBench bench = new DispatcherBench(actors).withoutRules();
  private final DispatcherBench.Pool pool = bench.pool("pool", 8, "t");
  private final Map<Long, JobId> parents = new HashMap<>();

  @Test
  void confirmsAPauseAtOnceIfNothingOfTheQueueIsOffered() {
    bench.job("t", "q").ready();

    pause(1);

    assertThat(confirmed()).isEqualTo(1);
  }

  @Test
  void confirmsAPauseNotBeforeEachOfferIsAnswered() {
    var taking = bench.job("t", "q").ready();
    var declining = bench.job("t", "q").ready();
    var first = pool.gives();
    taking.offered();
    var second = pool.gives();
    declining.offered();

    pause(1);
    bench.load();
    taking.takes(first);
    bench.load();
    bench.queues.expectNoMessage(Duration.ofMillis(1));
    declining.declines(second);

    assertThat(confirmed()).isEqualTo(1);
  }

  @Test
  void claimsNothingOfAPausedQueueUntilItIsResumed() {
    var job = bench.job("t", "q").ready();
    pause(1);
    confirmed();
    assertThat(pool.gives().number()).isEqualTo(pool.getsBack());

    bench.rules(2, Map.of(), Map.of());

    confirmed();
    pool.wants(1);
    pool.gives();
    job.offered();
  }

  @Test
  void goesByNewerRulesWhateverComesLater() {
    var job = bench.job("t", "q").ready();
    bench.rules(5, Map.of(), Map.of());
    assertThat(confirmed()).isEqualTo(5);

    pause(4);
    bench.beat();

    assertThat(confirmed()).isEqualTo(5);
    pool.gives();
    job.offered();
  }

  @Test
  void asksForSlotsAndUsesNoMoreThanItIsGranted() {
    limit(1, 2);
    var first = bench.job("t", "q").ready();
    var second = bench.job("t", "q").ready();
    assertThat(held(0, 0, 2)).isNotNull();

    grant(1);

    held(1, 0, 1);
    pool.wants(1);
    first.takes(pool.gives());
    assertThat(pool.gives().number()).isEqualTo(pool.getsBack());
    second.hearsNothing();
    grant(2);
    pool.wants(1);
    pool.gives();
    second.offered();
  }

  @Test
  void givesASlotBackWhenTheAttemptIsOver() {
    limit(1, 2);
    var job = bench.job("t", "q").ready();
    grant(1);
    pool.wants(1);
    job.takes(pool.gives());

    job.isFreed();

    held(1, 1, 0);
  }

  @Test
  void givesTheSlotOfAnAttemptBackWhenItHearsOfALaterOne() {
    limit(1, 2);
    var job = bench.job("t", "q").ready();
    grant(1);
    pool.wants(1);
    job.takes(pool.gives());
    held(1, 0, 0);

    job.takes(2, pool.makes());

    held(1, 1, 0);
  }

  @Test
  void givesTheSlotBackOfAnAttemptThatItHearsOfAfterALaterOne() {
    limit(1, 2);
    var job = bench.job("t", "q").ready();
    grant(1);
    pool.wants(1);
    var credit = pool.gives();
    job.offered();
    job.takes(2, pool.makes());

    job.takes(credit);

    held(1, 1, 0);
  }

  @Test
  void givesASlotBackThatItCannotUseAnyMore() {
    limit(1, 2);
    var job = bench.job("t", "q").ready();
    grant(1);

    job.isWithdrawn();

    held(1, 1, 0);
  }

  @Test
  void keepsASlotForTheNextOneIfItsJobDeclines() {
    limit(1, 2);
    var first = bench.job("t", "q").ready();
    var second = bench.job("t", "q").ready();
    grant(1);
    var credit = pool.gives();
    first.offered();

    first.declines(credit);

    assertThat(second.offered()).isEqualTo(credit);
  }

  @Test
  void takesAGrantForTheNumberThatItIs() {
    limit(1, 5);
    bench.job("t", "q").ready();
    bench.job("t", "q").ready();
    bench.job("t", "q").ready();

    grant(2);
    grant(2);
    grant(1);
    bench.tell(new Dispatcher.Slots("q", ERA - 1, 5));

    held(2, 0, 1);
    pool.wants(2);
  }

  @Test
  void saysAgainWithEachHeartbeatWhatItHolds() {
    limit(1, 2);
    bench.job("t", "q").ready();
    held(0, 0, 1);

    bench.beat();

    held(0, 0, 1);
  }

  @Test
  void countsWhatRunsWhenALimitIsSet() {
    var running = bench.job("t", "q").ready();
    running.takes(pool.gives());
    var offered = bench.job("t", "q").ready();
    pool.gives();
    offered.offered();

    limit(1, 2);

    held(2, 0, 0);
    running.isFreed();
    held(2, 1, 0);
  }

  @Test
  void needsNoSlotAnyMoreWhenTheLimitIsGone() {
    limit(1, 1);
    var job = bench.job("t", "q").ready();
    bench.load();
    bench.rules(2, Map.of(), Map.of());

    pool.wants(1);
    job.takes(pool.gives());
    job.isFreed();
    bench.job("t", "q").ready();
    pool.wants(1);
  }

  @Test
  void givesTheSlotOfAParkedAttemptAwayAndAsksForOneWhenItGoesOn() {
    limit(1, 1);
    var job = bench.job("t", "q").ready();
    grant(1);
    pool.wants(1);
    var credit = pool.gives();
    job.takes(credit);
    held(1, 0, 0);

    bench.tell(new PoolMessage.Parked(pool.id, credit.number(), job.id, 1));
    held(1, 1, 0);
    bench.tell(new PoolMessage.Parked(pool.id, credit.number(), job.id, 1));
    bench.tell(new PoolMessage.Unpark(pool.id, credit.number(), job.id, 1));
    held(1, 1, 1);
    bench.tell(new PoolMessage.Unpark(pool.id, credit.number(), job.id, 1));
    grant(2);

    assertThat(pool.next(WorkerPool.MayGoOn.class).round()).isEqualTo(1);
    bench.tell(new PoolMessage.Parked(pool.id, credit.number(), job.id, 1));
    bench.tell(new PoolMessage.Unpark(pool.id, credit.number(), job.id, 1));
    assertThat(pool.next(WorkerPool.MayGoOn.class).round()).isEqualTo(1);
    held(2, 1, 0);
  }

  @Test
  void letsAnAttemptGoOnAtOnceThatNeedsNoSlotOrIsNotKnown() {
    var job = bench.job("t", "q").ready();
    var credit = pool.gives();
    job.takes(credit);
    bench.tell(new PoolMessage.Parked(pool.id, credit.number(), job.id, 1));

    bench.tell(new PoolMessage.Unpark(pool.id, credit.number(), job.id, 1));
    bench.tell(new PoolMessage.Unpark(pool.id, 99, bench.job("t", "q").id, 4));

    assertThat(pool.next(WorkerPool.MayGoOn.class)).isEqualTo(goOn(credit.number(), 1));
    assertThat(pool.next(WorkerPool.MayGoOn.class)).isEqualTo(goOn(99, 4));
  }

  @Test
  void letsAnAttemptThatWaitsGoOnBeforeAnyNewJobWithASlotThatWasNotUsed() {
    limit(1, 1);
    var parent = parkedAttempt(1);
    var declining = bench.job("t", "q").ready();
    grant(2);
    var credit = pool.gives();
    declining.offered();
    var next = bench.job("t", "q").ready();
    wantsToGoOn(parent);
    bench.load();

    declining.declines(credit);

    assertThat(pool.next(WorkerPool.MayGoOn.class)).isEqualTo(goOn(parent.number(), 1));
    next.hearsNothing();
  }

  /// A free slot goes to the first waiting attempt, in whatever order later requests arrive.
  @Test
  void losesNoSlotWhenSeveralAttemptsWaitAndAJobIsCancelledThatWasOffered() {
    limit(1, 1);
    var first = parkedAttempt(1);
    var second = parkedAttempt(2);
    var cancelled = bench.job("t", "q").ready();
    grant(3);
    pool.gives();
    cancelled.offered();
    wantsToGoOn(first);

    cancelled.isWithdrawn();
    wantsToGoOn(second);
    bench.beat();

    assertThat(pool.next(WorkerPool.MayGoOn.class)).isEqualTo(goOn(first.number(), 1));
    held(3, 2, 1);
    grant(4);
    assertThat(pool.next(WorkerPool.MayGoOn.class)).isEqualTo(goOn(second.number(), 1));
  }

  /// Credit of an attempt that has returned its slot to wait for a child.
  private WorkerCredit parkedAttempt(int slots) {
    var job = bench.job("t", "q").ready();
    grant(slots);
    pool.wants(1);
    var credit = pool.gives();
    job.takes(credit);
    parents.put(credit.number(), job.id);
    bench.tell(new PoolMessage.Parked(pool.id, credit.number(), job.id, 1));
    held(slots, slots, 0);
    return credit;
  }

  private void wantsToGoOn(WorkerCredit parent) {
    var job = parents.get(parent.number());
    bench.tell(new PoolMessage.Unpark(pool.id, parent.number(), job, 1));
  }

  private static WorkerPool.MayGoOn goOn(long credit, int round) {
    return new WorkerPool.MayGoOn(credit, round);
  }

  private void pause(long version) {
    bench.rules(version, Map.of("q", new QueueRule(true, null)), Map.of());
  }

  private void limit(long version, int limit) {
    bench.rules(version, Map.of("q", new QueueRule(false, limit)), Map.of("q", ERA));
  }

  private void grant(long inAll) {
    bench.tell(new Dispatcher.Slots("q", ERA, inAll));
  }

  private long confirmed() {
    var message = bench.queues.receiveMessage();
    return message instanceof Queues.Confirmed(int partition, var dispatcher, long version)
        ? version
        : confirmed();
  }

  /// Awaits this report of the dispatcher's slots.
  private Queues.SlotsHeld held(long granted, long returned, int wanted) {
    var message = bench.queues.receiveMessage();
    var expected = new Queues.SlotsHeld(1, "q", ERA, granted, returned, wanted);
    return message.equals(expected) ? expected : held(granted, returned, wanted);
  }
}
