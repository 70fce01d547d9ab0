package dev.handoff.internal.dispatch;

import static dev.handoff.internal.dispatch.LoneDispatcher.ERA;
import static dev.handoff.internal.dispatch.LoneDispatcher.FREE;
import static dev.handoff.internal.dispatch.LoneDispatcher.NARROW;
import static dev.handoff.internal.dispatch.LoneDispatcher.NOW;
import static dev.handoff.internal.dispatch.LoneDispatcher.claim;
import static dev.handoff.internal.dispatch.LoneDispatcher.id;
import static dev.handoff.internal.dispatch.LoneDispatcher.pool;
import static dev.handoff.internal.dispatch.LoneDispatcher.question;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Json;
import dev.handoff.internal.job.AttemptNotes;
import dev.handoff.internal.job.ClaimingWorker;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobFact;
import dev.handoff.internal.job.JobNotice;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.job.StateReply;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The offers to jobs")
class OpenOffersTest {

  private final LoneDispatcher desk = new LoneDispatcher();
  private final OpenOffers offers = desk.offers;
  private final PoolLink link = desk.register(1);

  private void credited(long number) {
    offers.credited(desk.credit(1, number), desk.attempts);
  }

  /// Offers worker 1 to job 1.
  private JobNotice.Ready offered(String queue) {
    var job = desk.job(1, queue);
    desk.enter(job);
    credited(1);
    assertThat(desk.toldJob(1)).containsExactly(new Job.Claim(desk.credit(1, 1)));
    return job;
  }

  private static JobNotice.Ready by(JobNotice.Ready job, TestInbox<Job.Command> actor) {
    return new JobNotice.Ready(
        job.job(), job.type(), job.queue(), job.priority(), job.due(), actor.getRef());
  }

  @Test
  void areMadeOfEachCreditToTheJobWhoseTurnItIs() {
    desk.enter(desk.job(2, FREE));
    offered(FREE);
    credited(2);

    assertThat(desk.toldJob(2)).containsExactly(new Job.Claim(desk.credit(1, 2)));
    assertThat(offers.all()).hasSize(2);
  }

  @Test
  void areMadeOfNoCreditOfAPoolThatIsNotKnown() {
    desk.enter(desk.job(1, FREE));

    offers.credited(desk.credit(9, 1), desk.attempts);

    assertThat(offers.all()).isEmpty();
  }

  @Test
  void areMadeLaterOfACreditForWhichThereIsNoJob() {
    credited(1);
    credited(2);

    assertThat(link.spare.size()).isEqualTo(1);
    assertThat(desk.toldPool(1)).containsExactly(new WorkerPool.GiveBack(2));
    desk.enter(desk.job(1, FREE));
    offers.useSpares();
    assertThat(desk.toldJob(1)).containsExactly(new Job.Claim(desk.credit(1, 1)));
    assertThat(link.spare.size()).isZero();
  }

  @Test
  void areMadeOfAsManyWorkersAsAreAtHand() {
    credited(1);
    desk.enter(desk.job(1, FREE));
    desk.enter(desk.job(2, FREE));

    offers.useSpares();

    assertThat(offers.all()).hasSize(1);
    desk.mayClaim = false;
    credited(2);
    desk.toldPool(1);
    offers.useSpares();
    assertThat(desk.toldPool(1)).isEmpty();
  }

  @Test
  void areNotMadeOfWorkersAtHandWhereNothingMayBeClaimedAnyMore() {
    credited(1);
    desk.mayClaim = false;

    offers.useSpares();

    assertThat(desk.toldPool(1)).containsExactly(new WorkerPool.GiveBack(1));
    assertThat(link.spare.size()).isZero();
  }

  @Test
  void changeWhatIsToldOfTheirQueue() {
    desk.limit(0);
    desk.grant(1);
    desk.limits.tell(queue -> 1, Stream.empty());
    desk.queues.getAllReceived();
    desk.limits.gate(NARROW).repeat();

    offered(NARROW);
    desk.limits.tell(queue -> 1, Stream.empty());

    assertThat(desk.queues.getAllReceived()).hasSize(1);
  }

  @Test
  void areNotMadeWhereNothingMayBeClaimed() {
    credited(1);
    desk.mayClaim = false;
    desk.enter(desk.job(1, FREE));
    credited(2);
    assertThat(desk.toldPool(1)).containsExactly(new WorkerPool.GiveBack(2));
    offers.useSpares();
    assertThat(desk.toldPool(1)).containsExactly(new WorkerPool.GiveBack(1));

    desk.mayClaim = true;
    desk.pools.leave(pool(1));
    credited(3);
    assertThat(desk.toldPool(1)).containsExactly(new WorkerPool.GiveBack(3));
    assertThat(desk.toldJob(1)).isEmpty();
  }

  @Test
  void areNotMadeOfACreditThatComesTwiceOrLate() {
    offered(FREE);
    credited(1);
    assertThat(desk.toldPool(1)).isEmpty();
    credited(3);
    credited(3);
    assertThat(desk.toldPool(1)).as("it is at hand").isEmpty();

    credited(2);
    assertThat(desk.toldPool(1)).as("others are open").containsExactly(new WorkerPool.GiveBack(2));
    desk.attempts.begin(desk.handed(5, 1, FREE, desk.credit(1, 2)));
    credited(2);
    assertThat(desk.toldPool(1)).as("it is in use").isEmpty();
  }

  @Test
  void areTakenOnce() {
    var job = offered(FREE);

    assertThat(offers.taken(id(1), desk.credit(1, 2))).isNull();
    assertThat(offers.taken(id(2), desk.credit(1, 1))).isNull();
    var offer = offers.taken(id(1), desk.credit(1, 1));
    assertThat(offer.job).isEqualTo(job);
    assertThat(offers.taken(id(1), desk.credit(1, 1))).isNull();
  }

  @Test
  void goToTheNextJobWhenTheyAreDeclined() {
    var job = offered(FREE);
    desk.enter(desk.job(2, FREE));
    assertThat(offers.isOpenFor(job)).isTrue();

    offers.declined(id(1), desk.credit(1, 9));
    assertThat(desk.entered).isEmpty();
    offers.declined(id(1), desk.credit(1, 1));

    assertThat(desk.toldJob(2)).containsExactly(new Job.Claim(desk.credit(1, 1)));
    assertThat(desk.entered).containsExactly(job);
    offers.declined(id(2), desk.credit(1, 1));
    assertThat(desk.entered).containsExactly(job);
  }

  @Test
  void giveTheirSlotBackWhenTheyAreDeclined() {
    desk.limit(0);
    desk.grant(1);
    offered(NARROW);
    desk.enter(desk.job(2, NARROW));
    assertThat(offers.all()).allSatisfy(offer -> assertThat(offer.slotEra).isEqualTo(ERA));

    offers.declined(id(1), desk.credit(1, 1));

    assertThat(desk.toldJob(2)).containsExactly(new Job.Claim(desk.credit(1, 1)));
  }

  @Test
  void areOffWhenTheirJobHasAnotherActor() {
    var job = offered(FREE);
    var actor = TestInbox.<Job.Command>create();

    assertThat(offers.isOpenFor(by(job, actor))).isFalse();

    assertThat(offers.all()).isEmpty();
    assertThat(link.spare.size()).isEqualTo(1);
    assertThat(offers.isOpenFor(job)).isFalse();
  }

  @Test
  void areOffWhenTheirJobWantsNoWorkerAnyMore() {
    var job = offered(FREE);
    var actor = TestInbox.<Job.Command>create();

    offers.withdraw(new JobNotice.Withdrawn(id(1), actor.getRef()));
    offers.withdraw(new JobNotice.Withdrawn(id(2), job.ref()));
    assertThat(offers.all()).hasSize(1);
    offers.withdraw(new JobNotice.Withdrawn(id(1), job.ref()));

    assertThat(offers.all()).isEmpty();
    assertThat(link.spare.size()).isEqualTo(1);
  }

  @Test
  void areMadeAtOnceOfAWorkerAtHand() {
    var job = desk.job(1, FREE);
    assertThat(offers.offerAtOnce(job)).isFalse();
    credited(1);

    assertThat(offers.offerAtOnce(job)).isTrue();

    assertThat(desk.toldJob(1)).containsExactly(new Job.Claim(desk.credit(1, 1)));
    assertThat(offers.all()).singleElement().satisfies(o -> assertThat(o.slotEra).isZero());
  }

  @Test
  void areMadeAtOnceToNobodyWhoComesAfterAnotherOrIsLimited() {
    desk.limit(0);
    credited(1);
    assertThat(offers.offerAtOnce(desk.job(1, NARROW))).isFalse();
    desk.enter(desk.job(2, FREE));

    assertThat(offers.offerAtOnce(desk.job(3, FREE))).isFalse();

    assertThat(desk.toldJob(2)).containsExactly(new Job.Claim(desk.credit(1, 1)));
  }

  @Test
  void areKnownByTheWorkerThatTookThem() {
    offered(FREE);

    assertThat(offers.takenBy(underway(1, 1, "worker-1"))).isEqualTo(desk.credit(1, 1));
    assertThat(offers.takenBy(underway(2, 1, "worker-1"))).isNull();
    assertThat(offers.takenBy(underway(1, 2, "worker-1"))).isNull();
    assertThat(offers.takenBy(underway(1, 1, "worker-2"))).isNull();
  }

  private JobNotice.Underway underway(int job, int pool, String worker) {
    return new JobNotice.Underway(
        id(job), 1, FREE, new ClaimingWorker(pool(pool), worker), desk.ref(job));
  }

  @Test
  void areInTheListOfTheirPoolOnly() {
    offered(FREE);
    var other = new HashSet<>(Set.of(1L, 2L));
    var own = new HashSet<>(Set.of(1L, 2L));

    offers.compare(pool(2), other);
    offers.compare(pool(1), own);

    assertThat(other).containsExactlyInAnyOrder(1L, 2L);
    assertThat(own).containsExactly(2L);
  }

  @Test
  void areRepeatedAfterAHeartbeat() {
    offered(FREE);

    offers.repeat(desk.toJobs);
    assertThat(desk.toldByPartition()).isEmpty();
    offers.repeat(desk.toJobs);

    assertThat(desk.toldByPartition()).containsExactly(claim(1, 1), question(1));
    offers.repeat(desk.toJobs);
    assertThat(desk.toldByPartition()).containsExactly(claim(1, 1), question(1));
  }

  @Test
  void areDroppedWhenTheirJobHasEnded() {
    desk.limit(0);
    desk.grant(1);
    offered(NARROW);
    var live =
        JobState.create(id(1), new JobFact.Submitted(JobSpec.of("t", Json.NULL), NOW, false));
    var ended = live.apply(new JobFact.Succeeded(1, Json.NULL, AttemptNotes.NONE, NOW, null));

    offers.answered(new StateReply.Found(live));
    offers.answered(new StateReply.NotFound(id(2)));
    assertThat(offers.all()).hasSize(1);
    offers.answered(new StateReply.Found(ended));

    assertThat(offers.all()).isEmpty();
    assertThat(desk.toldPool(1)).containsExactly(new WorkerPool.GiveBack(1));
    desk.enter(desk.job(2, NARROW));
    credited(2);
    assertThat(offers.all()).as("its slot is free").hasSize(1);
    offers.answered(new StateReply.NotFound(id(2)));
    assertThat(desk.toldPool(1)).containsExactly(new WorkerPool.GiveBack(2));
  }

  @Test
  void countInANewEra() {
    offered(FREE);

    assertThat(offers.beginEra(NARROW, 9)).isZero();
    assertThat(offers.beginEra(FREE, 9)).isEqualTo(1);

    assertThat(offers.all()).singleElement().satisfies(o -> assertThat(o.slotEra).isEqualTo(9));
  }

  @Test
  void areMadeOfAllWorkersAtHandBeforeTheyAreGivenBack() {
    credited(1);

    offers.giveBackSpares(link);

    assertThat(desk.toldPool(1)).containsExactly(new WorkerPool.GiveBack(1));
    assertThat(link.spare.size()).isZero();
  }
}
