package dev.handoff.internal.dispatch;

import static dev.handoff.internal.dispatch.LoneDispatcher.ERA;
import static dev.handoff.internal.dispatch.LoneDispatcher.FREE;
import static dev.handoff.internal.dispatch.LoneDispatcher.NARROW;
import static dev.handoff.internal.dispatch.LoneDispatcher.NOW;
import static dev.handoff.internal.dispatch.LoneDispatcher.id;
import static dev.handoff.internal.dispatch.LoneDispatcher.loss;
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
import dev.handoff.internal.job.ReportReply;
import dev.handoff.internal.job.StateReply;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The attempts that pools have")
class DispatchedAttemptsTest {

  private final LoneDispatcher desk = new LoneDispatcher();
  private final DispatchedAttempts attempts = desk.attempts;

  DispatchedAttemptsTest() {
    desk.register(1);
    desk.register(2);
  }

  private DispatchedAttempt begin(int job, int attempt, String queue, long credit) {
    var begun = desk.handed(job, attempt, queue, desk.credit(1, credit));
    begun.slotEra = queue.equals(NARROW) ? ERA : QueueGate.NONE;
    attempts.begin(begun);
    return begun;
  }

  private DispatchedAttempt begin(int job, long credit) {
    return begin(job, 1, FREE, credit);
  }

  private JobNotice.Underway underway(int job, int attempt) {
    return new JobNotice.Underway(
        id(job), attempt, FREE, new ClaimingWorker(pool(1), "worker-1"), desk.ref(job));
  }

  @Test
  void giveBackTheSlotOfAnEarlierOneWhoseEndWasNotHeardOf() {
    desk.limit(2);
    begin(1, 1, NARROW, 1);
    var second = begin(1, 2, NARROW, 2);

    assertThat(attempts.all()).containsExactly(second);
    assertThat(desk.returned()).isEqualTo(1);
  }

  @Test
  void giveBackTheSlotOfOneThatBeginsAfterALaterOne() {
    desk.limit(3);
    var second = begin(1, 2, NARROW, 2);
    begin(1, 1, NARROW, 1);
    assertThat(desk.returned()).isEqualTo(1);
    begin(1, 2, NARROW, 3);

    assertThat(attempts.all()).containsExactly(second);
    assertThat(desk.returned()).isEqualTo(2);
    assertThat(desk.toldByPartition()).isEmpty();
  }

  @Test
  void areLostAtOnceIfTheirPoolHasGoneOrIsNotKnown() {
    attempts.begin(desk.handed(1, 1, FREE, desk.credit(9, 1)));
    attempts.restore(underway(2, 3));
    begin(3, 1);

    assertThat(desk.toldByPartition()).containsExactly(loss(1, 1), loss(2, 3));
  }

  @Test
  void areOverWhenTheirJobSaysSo() {
    desk.limit(1);
    begin(1, 2, NARROW, 1);

    attempts.free(id(1), 1);
    attempts.free(id(2), 2);
    assertThat(attempts.all()).hasSize(1);
    attempts.free(id(1), 2);

    assertThat(attempts.all()).isEmpty();
    assertThat(desk.returned()).isEqualTo(1);
    assertThat(desk.entered).isEmpty();
  }

  @Test
  void leaveWhatTheirJobHasWantedSince() {
    var again = desk.job(1, FREE);
    begin(1, 1).again = again;

    attempts.free(id(1), 1);

    assertThat(desk.entered).containsExactly(again);
  }

  @Test
  void areOverWhenTheyAreFencedOrTheirLostJobIsNotThere() {
    begin(1, 1);
    begin(2, 2);
    attempts.answered(new ReportReply.Fenced(id(1), 1, 2));
    attempts.answered(new StateReply.NotFound(id(2)));
    assertThat(attempts.all()).extracting(attempt -> attempt.job).containsExactly(id(2));

    attempts.loseAllOf(pool(1));
    attempts.answered(new StateReply.NotFound(id(2)));

    assertThat(attempts.all()).isEmpty();
  }

  @Test
  void areOverWhenTheStateOfTheirJobShowsIt() {
    var queued =
        JobState.create(id(1), new JobFact.Submitted(JobSpec.of("t", Json.NULL), NOW, false));
    var by = new ClaimingWorker(pool(1), "worker-1");
    var second = queued.apply(new JobFact.Claimed(2, by, NOW));
    var over = second.apply(new JobFact.Succeeded(2, Json.NULL, AttemptNotes.NONE, NOW, null));
    begin(1, 2, FREE, 1);

    attempts.answered(new StateReply.Found(queued));
    attempts.answered(new StateReply.Found(second));
    assertThat(attempts.all()).hasSize(1);
    attempts.answered(new StateReply.Found(over));
    assertThat(attempts.all()).isEmpty();
    attempts.answered(new StateReply.Found(over));

    begin(1, 2, FREE, 1);
    attempts.answered(new StateReply.Found(queued.apply(new JobFact.Claimed(3, by, NOW))));
    assertThat(attempts.all()).isEmpty();
  }

  @Test
  void areFoundAgainByANewActorOfTheirJob() {
    var running = begin(1, 2, FREE, 1);
    var credit = running.credit;

    attempts.restore(underway(1, 2));

    assertThat(desk.toldJob(1)).containsExactly(new Job.Restore(credit));
    assertThat(attempts.all()).containsExactly(running);
    attempts.restore(underway(1, 3));
    assertThat(desk.toldByPartition()).containsExactly(loss(1, 3));
    attempts.restore(underway(1, 3));
    assertThat(desk.toldJob(1)).isEmpty();
    attempts.restore(underway(2, 1));
    assertThat(desk.toldByPartition()).containsExactly(loss(2, 1));
  }

  @Test
  void areLostWithTheirPoolAndNotWithAnother() {
    begin(1, 1);
    attempts.begin(desk.handed(2, 1, FREE, desk.credit(2, 1)));

    attempts.loseAllOf(pool(1));
    assertThat(desk.toldByPartition()).containsExactly(loss(1, 1));
    attempts.repeat();

    assertThat(desk.toldByPartition()).containsExactly(loss(1, 1));
  }

  @Test
  void areLostIfTheirPoolDoesNotListThemAnyMore() {
    begin(1, 1);
    begin(2, 2);
    begin(3, 3);
    attempts.begin(desk.handed(4, 1, FREE, desk.credit(2, 1)));
    var listed = new HashSet<>(Set.of(1L, 9L));

    attempts.compare(pool(1), listed, 2);

    assertThat(listed).containsExactly(9L);
    assertThat(desk.toldJob(1)).containsExactly(new Job.RunAgain(1));
    assertThat(desk.toldJob(2)).isEmpty();
    assertThat(desk.toldByPartition()).containsExactly(loss(2, 1));
    attempts.compare(pool(1), new HashSet<>(Set.of(2L)), 2);
    assertThat(desk.toldJob(2)).isEmpty();
    assertThat(desk.toldByPartition()).containsExactly(loss(1, 1));
  }

  @Test
  void areAskedAfterWithEachFifthListOfTheirPool() {
    begin(1, 1);
    for (int beat = 1; beat <= 11; beat++) {
      attempts.compare(pool(1), new HashSet<>(Set.of(1L)), 1);
      assertThat(desk.toldByPartition())
          .as("beat %d", beat)
          .isEqualTo(beat % 5 == 0 ? List.of(question(1)) : List.of());
    }
  }

  @Test
  void haveTheirCredits() {
    begin(1, 1);
    attempts.begin(DispatchedAttempt.unknown(underway(2, 1)));

    assertThat(attempts.has(desk.credit(1, 1))).isTrue();
    assertThat(attempts.has(desk.credit(1, 2))).isFalse();
    assertThat(attempts.has(desk.credit(2, 1))).isFalse();
  }

  @Test
  void holdNoSlotWhileTheyWaitForAChild() {
    desk.limit(1);
    var running = begin(1, 1, NARROW, 1);

    attempts.park(new PoolMessage.Parked(pool(1), 2, id(1), 1));
    attempts.park(new PoolMessage.Parked(pool(2), 1, id(1), 1));
    attempts.park(new PoolMessage.Parked(pool(1), 1, id(2), 1));
    assertThat(running.parked).isFalse();
    attempts.park(new PoolMessage.Parked(pool(1), 1, id(1), 1));
    attempts.park(new PoolMessage.Parked(pool(1), 1, id(1), 1));

    assertThat(running.parked).isTrue();
    assertThat(running.slotEra).isEqualTo(QueueGate.NONE);
    assertThat(desk.returned()).isEqualTo(1);
  }

  @Test
  void goOnWithTheNextSlot() {
    desk.limit(1);
    var running = begin(1, 1, NARROW, 1);
    attempts.park(new PoolMessage.Parked(pool(1), 1, id(1), 1));

    attempts.unpark(new PoolMessage.Unpark(pool(1), 1, id(1), 1));
    assertThat(desk.toldPool(1)).isEmpty();
    desk.grant(2);

    assertThat(desk.toldPool(1)).containsExactly(new WorkerPool.MayGoOn(1, 1));
    assertThat(running.parked).isFalse();
    assertThat(running.slotEra).isEqualTo(ERA);
    attempts.park(new PoolMessage.Parked(pool(1), 1, id(1), 1));
    assertThat(running.parked).isFalse();
    attempts.park(new PoolMessage.Parked(pool(1), 1, id(1), 2));
    assertThat(running.parked).isTrue();
  }

  @Test
  void goOnAtOnceIfTheyNeedNoSlotOrAreNotKnown() {
    begin(1, 1);
    attempts.park(new PoolMessage.Parked(pool(1), 1, id(1), 1));
    attempts.unpark(new PoolMessage.Unpark(pool(1), 1, id(1), 1));
    assertThat(desk.toldPool(1)).containsExactly(new WorkerPool.MayGoOn(1, 1));
    attempts.unpark(new PoolMessage.Unpark(pool(1), 1, id(1), 3));
    assertThat(desk.toldPool(1)).containsExactly(new WorkerPool.MayGoOn(1, 3));
    attempts.unpark(new PoolMessage.Unpark(pool(1), 1, id(1), 2));
    assertThat(desk.toldPool(1)).containsExactly(new WorkerPool.MayGoOn(1, 3));

    attempts.unpark(new PoolMessage.Unpark(pool(2), 8, id(5), 4));
    attempts.unpark(new PoolMessage.Unpark(pool(9), 8, id(5), 4));

    assertThat(desk.toldPool(2)).containsExactly(new WorkerPool.MayGoOn(8, 4));
  }

  @Test
  void countInANewEraUnlessTheyWait() {
    var running = begin(1, 1, NARROW, 1);
    var waiting = begin(2, 1, NARROW, 2);
    var other = begin(3, 1, FREE, 3);
    waiting.parked = true;
    waiting.slotEra = QueueGate.NONE;

    assertThat(attempts.beginEra(NARROW, 9)).isEqualTo(1);

    assertThat(running.slotEra).isEqualTo(9);
    assertThat(waiting.slotEra).isEqualTo(QueueGate.NONE);
    assertThat(other.slotEra).isEqualTo(QueueGate.NONE);
  }
}
