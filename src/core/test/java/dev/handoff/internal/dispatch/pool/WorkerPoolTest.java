package dev.handoff.internal.dispatch.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Backoff;
import dev.handoff.Json;
import dev.handoff.cancel.Cancellation;
import dev.handoff.internal.dispatch.DispatcherBench;
import dev.handoff.internal.dispatch.PoolMessage;
import dev.handoff.internal.dispatch.WorkerPool;
import dev.handoff.internal.dispatch.worker.HandlerAttempt;
import dev.handoff.internal.dispatch.worker.PoolBench;
import dev.handoff.internal.job.AttemptNotes;
import dev.handoff.internal.job.AttemptReport;
import dev.handoff.internal.job.ClaimingWorker;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobCommand;
import dev.handoff.internal.job.JobEnvelope;
import dev.handoff.internal.job.JobFact;
import dev.handoff.internal.job.JobOptions;
import dev.handoff.internal.job.JobPhase;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.job.PoolId;
import dev.handoff.internal.job.ReportReply;
import dev.handoff.internal.job.StateReply;
import dev.handoff.internal.job.WatchReply;
import dev.handoff.internal.job.WorkerCredit;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.HistoryInvariants;
import dev.handoff.testing.ObservedHistory;
import dev.handoff.testing.OtherThread;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A worker pool")
class WorkerPoolTest {

  private static final Duration GRACE = DispatcherBench.SETTINGS.grace();
  private static final Duration ABANDON = DispatcherBench.SETTINGS.abandon();
  private static final Duration LEASE = DispatcherBench.SETTINGS.lease();

  @RegisterExtension static final TestActors actors = TestActors.inManualTime();

  private final PoolBench bench = new PoolBench(actors, false, 2);

  @Test
  void registersWithEachHeartbeat() {
    bench.said(PoolMessage.Register.class, register -> register.types().contains("held"));

    bench.beat();

    assertThat(bench.said(PoolMessage.Register.class, any -> true).workers()).isEqualTo(2);
  }

  @Test
  void givesAsManyWorkersAsAreWantedAndItHas() {
    bench.wants(1, 0);
    var first = bench.credited();
    bench.wants(1, 0);
    bench.wants(5, first.number());
    var second = bench.credited();
    bench.wants(9, second.number());

    bench.beat();

    assertThat(bench.said(PoolMessage.Beat.class, any -> true).credits())
        .containsExactlyInAnyOrder(first.number(), second.number());
  }

  @Test
  void runsAnAttemptAndGivesItsWorkerAgain() {
    var job = bench.job("held");
    var credit = bench.credit();

    job.runs(credit);
    job.hearsOfTheStart();
    bench.code.next().ends();

    assertThat(job.records()).isEqualTo(new AttemptReport.Returned(Json.NULL));
    bench.until("it is back", load -> load.busy() == 0);
  }

  @Test
  void startsNothingForARunThatComesTwiceOrLate() {
    var job = bench.job("held");
    var credit = bench.credit();
    job.runs(credit);
    job.hearsOfTheStart();

    job.runs(credit);
    job.hearsOfTheStart();
    bench.code.next().ends();
    job.reported();
    job.runs(credit);
    job.stops(credit);
    job.routedReport().replyTo().tell(new ReportReply.Recorded(job.id, 1));
    bench.until("it is back", load -> load.busy() == 0);
    job.runs(credit);
    bench.wants(2, credit.number());
    var other = bench.credited();
    job.runs(credit);

    bench.load();
    assertThat(other.number()).isGreaterThan(credit.number());
    assertThat(bench.code.isQuiet()).isTrue();
  }

  @Test
  void tellsASecondJobOnTheSameCreditThatItHasNoWorker() {
    var job = bench.job("held");
    var other = bench.job("held");
    var credit = bench.credit();
    job.runs(credit);
    job.hearsOfTheStart();

    other.runs(credit);

    assertThat(other.routed()).isEqualTo(new JobCommand.LoseWorker(1));
  }

  @Test
  void tellsAJobThatWantsToStopWhatIsNotHereThatItHasNoWorker() {
    var job = bench.job("held");
    var credit = bench.credit();
    var none = new WorkerCredit(credit.pool(), 99, credit.name(), credit.worker());

    job.stops(none);
    assertThat(job.routed()).isEqualTo(new JobCommand.LoseWorker(1));
    bench.job("held").runs(credit);
    bench.code.next();
    job.stops(none);

    assertThat(job.routed()).isEqualTo(new JobCommand.LoseWorker(1));
  }

  @Test
  void doesNotStartWhatWasStoppedBefore() {
    var job = bench.job("held");
    var credit = bench.credit();

    job.stops(credit);
    job.runs(credit);

    assertThat(job.records()).isInstanceOf(AttemptReport.NeverStarted.class);
    bench.until("it is back", load -> load.busy() == 0);
    assertThat(bench.code.isQuiet()).isTrue();
  }

  @Test
  void takesAWorkerBackThatNobodyNeeds() {
    var job = bench.job("held");
    var credit = bench.credit();

    bench.pool.tell(new WorkerPool.GiveBack(credit.number()));
    bench.until("it is back", load -> load.busy() == 0);
    job.runs(credit);

    assertThat(job.reported()).isEqualTo(new AttemptReport.NeverStarted());
    bench.beat();
    assertThat(bench.said(PoolMessage.Beat.class, any -> true).credits()).isEmpty();
    assertThat(bench.code.isQuiet()).isTrue();
  }

  /// The dispatcher does not know the credit, so its attempt is not the job's current one.
  @Test
  void stopsAtOnceWhatRunsOnACreditThatIsNotKnown() throws Exception {
    var job = bench.job("held");
    var credit = bench.credit();
    job.runs(credit);
    var going = bench.code.next();

    bench.pool.tell(new WorkerPool.GiveBack(credit.number()));

    assertThat(going.interrupted().await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(job.records()).isEqualTo(new AttemptReport.Stopped(Cancellation.Cause.LEASE_LOST));
  }

  @Test
  void repeatsAReportUntilItIsRecorded() {
    var job = bench.job("held");
    job.runs(bench.credit());
    bench.code.next().ends();
    job.reported();

    bench.beat();
    var again = job.routedReport();
    again.replyTo().tell(new ReportReply.Unavailable(job.id, "away", Duration.ZERO));
    bench.beat();
    job.routedReport().replyTo().tell(new ReportReply.Fenced(job.id, 1, 2));

    bench.until("it is back", load -> load.busy() == 0);
  }

  /// A doubled or late answer can concern an earlier attempt of the same job.
  @Test
  void repeatsAReportUntilAnAnswerNamesItsAttempt() {
    var job = bench.job("held");
    job.runs(bench.credit());
    bench.code.next().ends();
    job.reported();

    var others =
        List.of(
            new ReportReply.Recorded(job.id, 2),
            new ReportReply.NotRecorded(job.id, 2, "too large"),
            new ReportReply.Fenced(job.id, 2, 3));
    for (var other : others) {
      bench.beat();
      job.routedReport().replyTo().tell(other);
    }

    bench.beat();
    job.routedReport().replyTo().tell(new ReportReply.NotRecorded(job.id, 1, "too large"));
    bench.until("it is back", load -> load.busy() == 0);
  }

  @Test
  void stopsInThreeStagesAndKeepsThePlaceUntilTheCodeEnds() throws Exception {
    var job = bench.job("stubborn");
    var credit = bench.credit();
    job.runs(credit);
    var going = bench.stubborn.next();

    job.stops(credit);
    job.stops(credit);
    assertThat(going.attempt().cancellation().await(BoundedWaits.PATIENCE)).isTrue();
    bench.load();
    assertThat(going.interrupted().getCount()).isEqualTo(1);
    bench.passes(GRACE);
    assertThat(going.interrupted().await(10, TimeUnit.SECONDS)).isTrue();
    bench.passes(ABANDON.minus(GRACE));
    assertThat(job.records()).isEqualTo(new AttemptReport.Abandoned(Cancellation.Cause.REQUESTED));

    bench.until("it is counted", load -> load.abandoned() == 1 && load.busy() == 1);
    job.runs(credit);
    job.stops(credit);
    going.ends();
    bench.until("it counts no more", load -> load.abandoned() == 0 && load.busy() == 0);
    BoundedWaits.until("its end is told", () -> isReturned(job.routedReport()));
  }

  private static boolean isReturned(Job.UpdateAttempt message) {
    var report = ((JobCommand.Report) message.command()).report();
    return report.equals(new AttemptReport.Returned(Json.NULL));
  }

  /// Forbidden behaviour: a credit number is used a second time, and a late run order finds it
  /// open.
  @Test
  void wouldStartAnAttemptTwiceIfACreditWereUsedAgain() {
    var job = bench.job("held");
    var credit = bench.credit();
    job.runs(credit);
    var first = bench.code.next();
    first.ends();
    job.records();
    bench.wants(1, credit.number());
    var next = bench.credited();

    job.runs(credit);
    bench.load();
    assertThat(bench.code.isQuiet()).isTrue();
    job.runs(new WorkerCredit(next.pool(), next.number(), next.name(), next.worker()));

    var history = new ObservedHistory();
    for (var going : List.of(first, bench.code.next())) {
      history.entered(going.attempt().job(), going.attempt().number());
      going.ends();
    }
    assertThat(new HistoryInvariants(history, List.of(cancelled(job))).violations(Map.of()))
        .anyMatch(found -> found.startsWith("I8 an attempt was started twice"));
  }

  @Test
  void hasItsWorkerBackWhenAbandonedCodeEndsBeforeThatIsRecorded() {
    var job = bench.job("stubborn");
    var credit = bench.credit();
    job.runs(credit);
    var going = bench.stubborn.next();
    job.stops(credit);
    bench.passes(ABANDON);
    var abandoned = job.hears(JobCommand.Report.class);

    going.ends();
    job.routedReport();
    abandoned.replyTo().tell(new ReportReply.Recorded(job.id, 1));

    bench.until("it is back", load -> load.busy() == 0 && load.abandoned() == 0);
  }

  @Test
  void tellsOfATimeoutUntilItIsToldToStop() {
    var job = bench.job("held", options(Duration.ofSeconds(1), null));
    var credit = bench.credit();
    job.runs(credit);
    bench.code.next();
    var over = new JobCommand.TimeOut(1, JobPhase.StopCause.TIMEOUT);

    bench.passes(Duration.ofSeconds(1));
    assertThat(job.routed()).isEqualTo(over);
    bench.beat();
    assertThat(job.routed()).isEqualTo(over);
    job.stops(credit);
    bench.passes(GRACE);

    assertThat(job.records()).isEqualTo(new AttemptReport.Stopped(Cancellation.Cause.REQUESTED));
  }

  @Test
  void tellsOfAnAttemptThatGivesNoSignOfLife() {
    var job = bench.job("held", options(null, Duration.ofSeconds(3)));
    job.runs(bench.credit());
    var going = bench.code.next();

    bench.passes(Duration.ofSeconds(2));
    going.attempt().heartbeat();
    bench.passes(Duration.ofSeconds(2));
    bench.load();
    bench.router.expectNoMessage(Duration.ofMillis(1));
    bench.passes(Duration.ofSeconds(2));

    assertThat(job.routed()).isEqualTo(new JobCommand.TimeOut(1, JobPhase.StopCause.HEARTBEAT));
  }

  @Test
  void saysThatAnAttemptHasFailedWhoseTypeItDoesNotKnow() {
    var job = bench.job("unheard-of");

    job.runs(bench.credit());

    assertThat(((AttemptReport.Threw) job.records()).error().type()).isEqualTo("no-handler");
  }

  @Test
  void saysThatAnAttemptHasFailedForWhichThereIsNoThread() {
    var job = bench.job("blocking");
    bench.hasNoThreads(new OutOfMemoryError("unable to create native thread"));

    job.runs(bench.credit());

    assertThat(((AttemptReport.Threw) job.records()).error().type())
        .isEqualTo("java.lang.OutOfMemoryError");
    bench.until("it is back", load -> load.busy() == 0);
  }

  @Test
  void saysThatAnAttemptHasFailedWhoseThreadHasEndedWithoutAWord() throws Exception {
    var job = bench.job("held");
    var credit = bench.credit();
    bench.hasWordlessThreads();
    job.runs(credit);
    bench.begins(credit);
    job.hearsOfTheStart();

    bench.endWordlessThread();
    bench.beat();

    assertThat(((AttemptReport.Threw) job.records()).error().type()).isEqualTo("no-thread");
    bench.until("it is back", load -> load.busy() == 0);
  }

  @Test
  void saysTheSameOfOneWhoseThreadHasNotEvenSaidThatItBegan() throws Exception {
    var job = bench.job("held");
    bench.hasWordlessThreads();
    job.runs(bench.credit());
    bench.awaitWordlessThread();

    bench.endWordlessThread();
    bench.beat();

    assertThat(((AttemptReport.Threw) job.records()).error().type()).isEqualTo("no-thread");
    bench.until("it is back", load -> load.busy() == 0);
  }

  /// Otherwise the place would stay occupied for the life of the process.
  @Test
  void hasItsPlaceBackWhenTheThreadOfAbandonedCodeEndsWithoutAWord() throws Exception {
    var job = bench.job("held");
    var credit = bench.credit();
    bench.hasWordlessThreads();
    job.runs(credit);
    bench.begins(credit);
    job.stops(credit);
    BoundedWaits.until(
        "it is interrupted",
        () -> {
          bench.passes(GRACE);
          return bench.wordlessIsInterrupted;
        });
    bench.passes(ABANDON);
    assertThat(job.records()).isInstanceOf(AttemptReport.Abandoned.class);
    bench.until("it is given up", load -> load.abandoned() == 1);

    bench.endWordlessThread();
    bench.beat();

    bench.until("it is back", load -> load.busy() == 0);
  }

  @Test
  void replacesAWorkerThatHasFailed() {
    var job = bench.job("held");
    var credit = bench.credit();
    bench.breakTheClock();
    job.runs(credit);
    bench.until("it is replaced", load -> load.busy() == 0);

    bench.beat();
    assertThat(bench.said(PoolMessage.Beat.class, any -> true).credits()).isEmpty();
    bench.wants(2, credit.number());
    bench.credited();
    bench.credited();
  }

  @Test
  void runsSomethingElseWhileAnAttemptWaitsForItsChild() throws Exception {
    var job = bench.job("held");
    var child = bench.job("held");
    bench.wants(2, 0);
    var first = bench.credited();
    var second = bench.credited();
    job.runs(first);
    var going = bench.code.next();
    var awaited = awaiting(going.attempt(), child);
    answerGet(child, submitted(child));
    var watch = (Job.Watch) bench.router.expectMessageClass(JobEnvelope.class).command();

    bench.said(PoolMessage.Parked.class, parked -> parked.credit() == first.number());
    bench.wants(1, second.number());
    var third = bench.credited();
    assertThat(bench.load().parked()).isEqualTo(1);
    watch.replyTo().tell(new WatchReply.Ended(cancelled(child)));
    bench.said(PoolMessage.Unpark.class, parked -> parked.credit() == first.number());
    bench.beat();
    bench.said(PoolMessage.Unpark.class, parked -> parked.credit() == first.number());
    bench.pool.tell(new WorkerPool.MayGoOn(first.number(), 1));
    bench.pool.tell(new WorkerPool.MayGoOn(first.number(), 1));
    bench.load();
    assertThat(awaited).isNotDone();

    bench.pool.tell(new WorkerPool.GiveBack(third.number()));
    answerGet(job, submitted(job));

    assertThat(awaited.get(10, TimeUnit.SECONDS).ended()).isTrue();
    assertThat(bench.load().parked()).isZero();
    assertThat(bench.load().busy()).isEqualTo(2);
  }

  @Test
  void letsAnAttemptThatWaitsForItsChildBeStopped() {
    var job = bench.job("held");
    var child = bench.job("held");
    var credit = bench.credit();
    job.runs(credit);
    var going = bench.code.next();
    var awaited = awaiting(going.attempt(), child);
    answerGet(child, submitted(child));
    bench.said(PoolMessage.Parked.class, any -> true);

    job.stops(credit);

    assertThat(awaited)
        .failsWithin(Duration.ofSeconds(10))
        .withThrowableThat()
        .withMessageContaining("CancelledException");
    going.ends();
    job.records();
    bench.until("all are back", load -> load.busy() == 0 && load.parked() == 0);
  }

  /// A cancel is sent to the children and to the worker, and can reach the child first.
  @Test
  void letsAnAttemptWhoseChildWasStoppedFirstHearOfItsOwnCancel() {
    var job = bench.job("held");
    var child = bench.job("held");
    var credit = bench.credit();
    job.runs(credit);
    var going = bench.code.next();
    var awaited = awaiting(going.attempt(), child);
    answerGet(child, submitted(child));
    var watch = (Job.Watch) bench.router.expectMessageClass(JobEnvelope.class).command();
    bench.said(PoolMessage.Parked.class, any -> true);

    watch.replyTo().tell(new WatchReply.Ended(cancelled(child)));
    bench.said(PoolMessage.Unpark.class, any -> true);
    bench.pool.tell(new WorkerPool.MayGoOn(credit.number(), 1));
    answerGet(job, stopping(job));
    assertThat(awaited).isNotDone();
    job.stops(credit);

    assertThat(awaited)
        .failsWithin(Duration.ofSeconds(10))
        .withThrowableThat()
        .withMessageContaining("CancelledException");
    going.ends();
    job.records();
    bench.until("all are back", load -> load.busy() == 0 && load.parked() == 0);
  }

  @Test
  void stopsAtOnceWhenNothingRuns() {
    var stopped = actors.probe(WorkerPool.Stopped.class);
    bench.wants(1, 0);
    var credit = bench.credited();

    bench.pool.tell(new WorkerPool.Shutdown(stopped.ref()));
    bench.said(PoolMessage.Leave.class, any -> true);
    bench.pool.tell(new WorkerPool.GiveBack(credit.number()));

    assertThat(stopped.receiveMessage().abandoned()).isZero();
    stopped.expectTerminated(bench.pool, Duration.ofSeconds(10));
  }

  @Test
  void letsWhatRunsGoOnForTheGraceAndThenCancelsIt() {
    var stopped = actors.probe(WorkerPool.Stopped.class);
    var job = bench.job("held");
    job.runs(bench.credit());
    var going = bench.code.next();
    bench.pool.tell(new WorkerPool.Shutdown(stopped.ref()));
    bench.pool.tell(new WorkerPool.Shutdown(stopped.ref()));

    bench.passes(DispatcherBench.SETTINGS.shutdownGrace().minusMillis(1));
    bench.load();
    assertThat(going.attempt().cancellation().isCancelled()).isFalse();
    bench.passes(Duration.ofMillis(1));
    BoundedWaits.until("it is cancelled", () -> going.attempt().cancellation().isCancelled());
    assertThat(going.attempt().cancellation().cancellation().orElseThrow().reason())
        .isEqualTo("shutdown");
    bench.passes(GRACE);

    assertThat(job.records()).isEqualTo(new AttemptReport.Stopped(Cancellation.Cause.SHUTDOWN));
    assertThat(stopped.receiveMessage().abandoned()).isZero();
    stopped.receiveMessage();
  }

  @Test
  void stopsWithoutThoseThatDoNotStop() {
    var stopped = actors.probe(WorkerPool.Stopped.class);
    var job = bench.job("stubborn");
    job.runs(bench.credit());
    var going = bench.stubborn.next();
    bench.pool.tell(new WorkerPool.Shutdown(stopped.ref()));

    bench.passes(DispatcherBench.SETTINGS.shutdownGrace());
    BoundedWaits.until("it is cancelled", () -> going.attempt().cancellation().isCancelled());
    bench.passes(ABANDON);
    assertThat(job.records()).isEqualTo(new AttemptReport.Abandoned(Cancellation.Cause.SHUTDOWN));

    assertThat(stopped.receiveMessage().abandoned()).isEqualTo(1);
    going.ends();
  }

  @Test
  void onAnotherNodeGivesUpWhatItsPartitionHasNotHeardOfForALease() throws Exception {
    var remote = new PoolBench(actors, true, 2);
    var job = remote.job("held");
    job.runs(remote.credit());
    var going = remote.code.next();
    beatsFor(remote, LEASE);
    remote.pool.tell(
        new WorkerPool.BeatAnswered(PoolBench.PARTITION, PoolBench.EPOCH, remote.nanos.get()));
    beatsFor(remote, LEASE);
    remote.load();
    assertThat(going.attempt().cancellation().isCancelled()).isFalse();

    remote.beat();

    assertThat(going.interrupted().await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(job.records()).isEqualTo(new AttemptReport.Stopped(Cancellation.Cause.LEASE_LOST));
  }

  /// The process was suspended together with its mailbox, which can already hold the answers.
  @Test
  void onAnotherNodeReadsOneMoreRoundWhenItWakesLate() {
    var remote = new PoolBench(actors, true, 2);
    var job = remote.job("held");
    job.runs(remote.credit());
    var going = remote.code.next();

    remote.nanos.addAndGet(Duration.ofHours(1).toNanos());
    actors.pass(PoolBench.HEARTBEAT);
    remote.load();
    assertThat(going.attempt().cancellation().isCancelled()).isFalse();
    remote.pool.tell(
        new WorkerPool.BeatAnswered(PoolBench.PARTITION, PoolBench.EPOCH, remote.nanos.get()));
    remote.beat();
    remote.load();

    assertThat(going.attempt().cancellation().isCancelled()).isFalse();
    going.ends();
    job.records();
  }

  @Test
  void doesNotCareHowLongItsOwnProcessWasAsleep() {
    var job = bench.job("held");
    job.runs(bench.credit());
    var going = bench.code.next();

    beatsFor(bench, LEASE.multipliedBy(3));
    bench.load();

    assertThat(going.attempt().cancellation().isCancelled()).isFalse();
    going.ends();
    job.records();
  }

  /// Lets the pool finish each heartbeat before the next one, since it reads a clock.
  private static void beatsFor(PoolBench bench, Duration time) {
    for (int i = 0; i < time.dividedBy(PoolBench.HEARTBEAT); i++) {
      bench.beat();
      bench.load();
    }
  }

  private CompletableFuture<JobState> awaiting(HandlerAttempt attempt, PoolBench.Seat child) {
    return OtherThread.call(() -> attempt.await(child.id));
  }

  private void answerGet(PoolBench.Seat job, JobState state) {
    var message = bench.router.expectMessageClass(JobEnvelope.class);
    assertThat(message.job()).isEqualTo(job.id);
    ((Job.Get) message.command()).replyTo().tell(new StateReply.Found(state));
  }

  private static JobState submitted(PoolBench.Seat job) {
    return JobState.create(job.id, new JobFact.Submitted(job.spec, Instant.EPOCH, false));
  }

  private static JobState stopping(PoolBench.Seat job) {
    var request = new JobPhase.CancelRequest("why", "who", Instant.EPOCH);
    return submitted(job)
        .apply(
            new JobFact.Claimed(1, new ClaimingWorker(new PoolId("pool"), "worker"), Instant.EPOCH))
        .apply(new JobFact.CancelRequested(request));
  }

  private static JobState cancelled(PoolBench.Seat job) {
    var request = new JobPhase.CancelRequest("why", "who", Instant.EPOCH);
    return submitted(job)
        .apply(
            new JobFact.Cancelled(
                request, false, false, List.of(), AttemptNotes.NONE, Instant.EPOCH));
  }

  private static JobOptions options(Duration timeout, Duration heartbeat) {
    return new JobOptions(timeout, heartbeat, 3, Backoff.none(), Map.of());
  }
}
