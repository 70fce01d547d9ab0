package dev.handoff.internal.dispatch.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Backoff;
import dev.handoff.Json;
import dev.handoff.cancel.Cancellation;
import dev.handoff.cancel.CancelledException;
import dev.handoff.internal.dispatch.PoolMessage;
import dev.handoff.internal.dispatch.WorkerPool;
import dev.handoff.internal.job.AttemptNotes;
import dev.handoff.internal.job.AttemptReport;
import dev.handoff.internal.job.Job;
import dev.handoff.internal.job.JobCommand;
import dev.handoff.internal.job.JobEnvelope;
import dev.handoff.internal.job.JobFact;
import dev.handoff.internal.job.JobOptions;
import dev.handoff.internal.job.JobState;
import dev.handoff.internal.job.Progress;
import dev.handoff.internal.job.ReportReply;
import dev.handoff.internal.job.StateReply;
import dev.handoff.internal.job.WatchReply;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.OtherThread;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("An attempt, as its handler's threads see it,")
class HandlerAttemptTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  @RegisterExtension static final TestActors actors = TestActors.inManualTime();

  private final PoolBench bench = new PoolBench(actors, false, 2);
  private final PoolBench.Seat child = bench.job("held");

  @Test
  void isToldToStopAtOnceWhenItsWorkerHasFailed() throws Exception {
    var silent = new JobOptions(null, SECOND, 3, Backoff.none(), Map.of());
    bench.job("held", silent).runs(bench.credit());
    var going = bench.code.next();

    bench.breakTheClock();
    bench.passes(SECOND);

    assertThat(going.interrupted().await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(going.attempt().cancellation().cancellation())
        .contains(new Cancellation(Cancellation.Cause.LEASE_LOST, "its worker is gone", "handoff"));
    bench.until("it is replaced", load -> load.busy() == 0);
  }

  @Test
  void isToldToStopAtOnceWhenItsPoolIsGone() throws Exception {
    bench.job("held").runs(bench.credit());
    var going = bench.code.next();

    actors.stop(bench.pool);

    assertThat(going.interrupted().await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(going.attempt().cancellation().isCancelled()).isTrue();
  }

  /// An interrupted handler checks its cancellation token, so the token must be set first.
  @Test
  void isCancelledBeforeItIsInterruptedWhenItsLeaseIsLost() {
    var interrupted = new CompletableFuture<Boolean>();
    var going = new CompletableFuture<HeldCode.Going>();
    bench.beforeInterrupt(
        () -> interrupted.complete(going.join().attempt().cancellation().isCancelled()));
    var credit = bench.credit();
    bench.job("held").runs(credit);
    going.complete(bench.code.next());

    bench.pool.tell(new WorkerPool.GiveBack(credit.number()));

    assertThat(interrupted).succeedsWithin(BoundedWaits.PATIENCE).isEqualTo(true);
  }

  @Test
  void leavesNoThreadWaitingForAChildWhenItsHandlerHasEnded() {
    var job = bench.job("held");
    job.runs(bench.credit());
    var going = bench.code.next();
    var awaited = awaiting(going.attempt());
    get().tell(new StateReply.Found(running()));
    watch();

    going.ends();

    assertThat(awaited)
        .failsWithin(BoundedWaits.PATIENCE)
        .withThrowableThat()
        .withMessageContaining("the handler has ended");
    assertThat(job.records()).isEqualTo(new AttemptReport.Returned(Json.NULL));
    bench.until("its worker is back", load -> load.busy() == 0 && load.parked() == 0);
  }

  @Test
  void waitsForNothingAnyMoreWhenItsHandlerHasEnded() {
    var job = bench.job("held");
    job.runs(bench.credit());
    var going = bench.code.next();
    going.ends();
    job.records();

    assertThat(awaiting(going.attempt()))
        .failsWithin(BoundedWaits.PATIENCE)
        .withThrowableThat()
        .withMessageContaining("the handler has ended");
  }

  @Test
  void goesOnAtOnceIfItsChildHasEndedAlready() {
    bench.job("held").runs(bench.credit());
    var awaited = awaiting(bench.code.next().attempt());

    get().tell(new StateReply.Found(succeeded()));

    assertThat(awaited).succeedsWithin(BoundedWaits.PATIENCE).matches(JobState::ended);
    assertThat(bench.load().parked()).isZero();
  }

  @Test
  void isAliveWhenItBeginsToWaitForAChildAndWhenItGoesOn() {
    var credit = bench.credit();
    bench.job("held").runs(credit);
    var attempt = bench.code.next().attempt();
    bench.nanos.addAndGet(SECOND.toNanos());
    var awaited = awaiting(attempt);
    var looked = get();
    assertThat(attempt.silence()).isZero();

    looked.tell(new StateReply.Found(running()));
    var watched = watch();
    bench.said(PoolMessage.Parked.class, any -> true);
    bench.nanos.addAndGet(SECOND.toNanos());
    watched.tell(new WatchReply.Ended(succeeded()));
    bench.said(PoolMessage.Unpark.class, any -> true);
    bench.pool.tell(new WorkerPool.MayGoOn(credit.number(), 1));

    assertThat(awaited).succeedsWithin(BoundedWaits.PATIENCE);
    assertThat(attempt.silence()).isZero();
  }

  @Test
  void isAliveWhenItSubmitsAChildOrLeavesACheckpoint() {
    var attempt = started();
    bench.nanos.addAndGet(SECOND.toNanos());
    attempt.submit(child.spec);
    assertThat(attempt.silence()).isZero();
    bench.router.expectMessageClass(JobEnvelope.class);

    bench.nanos.addAndGet(SECOND.toNanos());
    var kept = attempt.checkpoint(Json.of("1")).toCompletableFuture();
    attempt.source().cancel(new Cancellation(Cancellation.Cause.SHUTDOWN, "closing", "handoff"));

    assertThat(kept).failsWithin(BoundedWaits.PATIENCE);
    assertThat(attempt.silence()).isZero();
  }

  /// An engine that is gone refuses each request at once.
  @Test
  void asksForItsChildAgainOnlyAfterAPause() {
    bench.job("held").runs(bench.credit());
    var awaited = awaiting(bench.code.next().attempt());
    get().tell(new StateReply.Found(running()));
    watch();

    actors.pass(Duration.ofMinutes(1));
    bench.router.expectNoMessage(Duration.ofMillis(100));

    BoundedWaits.until("it asks again", this::isAskedASecondLater);
    assertThat(awaited).isNotDone();
  }

  private boolean isAskedASecondLater() {
    actors.pass(SECOND);
    try {
      return bench.router.receiveMessage(Duration.ofMillis(10)).command() instanceof Job.Watch;
    } catch (AssertionError notYet) {
      return false;
    }
  }

  @Test
  void tellsLinesAgainThatWereNotTaken() {
    var job = bench.job("held");
    job.runs(bench.credit());
    var attempt = bench.code.next().attempt();
    attempt.log("one");
    says(attempt, "first");
    var refused = job.hears(JobCommand.Note.class);
    assertThat(lines(refused)).containsExactly("one");

    refused.replyTo().tell(new ReportReply.Unavailable(job.id, "away", SECOND));

    BoundedWaits.until(
        "they are told again",
        () -> {
          says(attempt, "next");
          return lines(job.hears(JobCommand.Note.class)).equals(List.of("one"));
        });
  }

  @Test
  void keepsTheNewestLinesOfThoseThatWereNotTakenAndThoseSince() {
    var ring = new RecentLogLines();
    IntStream.range(0, 90).forEach(line -> ring.add("old " + line));
    var untold = ring.take();
    IntStream.range(0, 20).forEach(line -> ring.add("new " + line));

    ring.giveBack(untold);

    assertThat(ring.take()).hasSize(100).startsWith("old 10").containsSequence("old 89", "new 0");
  }

  @Test
  void asksForItsCheckpointUntilItIsKept() {
    var attempt = started();
    var kept = attempt.checkpoint(Json.of("1")).toCompletableFuture();

    checkpointed("1").tell(new ReportReply.Unavailable(child.id, "away", SECOND));
    askedAgain("1", SECOND);
    var last = askedAgain("1", Duration.ofSeconds(5));
    assertThat(kept).isNotDone();
    last.tell(new ReportReply.Recorded(child.id, 1));

    assertThat(kept).succeedsWithin(BoundedWaits.PATIENCE).isInstanceOf(ReportReply.Recorded.class);
  }

  @Test
  void neverRepeatsACheckpointAfterANewerOne() {
    var attempt = started();
    var older = attempt.checkpoint(Json.of("1")).toCompletableFuture();
    var first = checkpointed("1");
    var newer = attempt.checkpoint(Json.of("2")).toCompletableFuture();
    var second = checkpointed("2");

    first.tell(new ReportReply.Unavailable(child.id, "away", Duration.ZERO));
    second.tell(new ReportReply.Unavailable(child.id, "away", SECOND));
    var again = askedAgain("2", SECOND);
    assertThat(older).isNotDone();
    again.tell(new ReportReply.Recorded(child.id, 1));

    assertThat(newer)
        .succeedsWithin(BoundedWaits.PATIENCE)
        .isInstanceOf(ReportReply.Recorded.class);
    assertThat(older)
        .succeedsWithin(BoundedWaits.PATIENCE)
        .isInstanceOf(ReportReply.Recorded.class);
    bench.router.expectNoMessage(Duration.ofMillis(50));
  }

  @Test
  void waitsForNoCheckpointWhenItIsCancelled() {
    var attempt = started();
    var kept = attempt.checkpoint(Json.of("1")).toCompletableFuture();
    checkpointed("1");

    attempt.source().cancel(new Cancellation(Cancellation.Cause.SHUTDOWN, "closing", "handoff"));

    assertThat(kept)
        .failsWithin(BoundedWaits.PATIENCE)
        .withThrowableThat()
        .withCauseInstanceOf(CancelledException.class);
    var last = attempt.checkpoint(Json.of("2")).toCompletableFuture();
    checkpointed("2").tell(new ReportReply.Recorded(child.id, 1));
    assertThat(last).succeedsWithin(BoundedWaits.PATIENCE);
  }

  @Test
  void repeatsNoCheckpointWhenItsHandlerHasEnded() {
    var job = bench.job("held");
    job.runs(bench.credit());
    var going = bench.code.next();
    var kept = going.attempt().checkpoint(Json.of("1")).toCompletableFuture();
    var question = checkpointed("1");
    going.ends();
    job.records();

    question.tell(new ReportReply.Unavailable(job.id, "away", Duration.ZERO));

    assertThat(kept)
        .failsWithin(BoundedWaits.PATIENCE)
        .withThrowableThat()
        .withMessageContaining("the handler has ended");
  }

  @Test
  void asksOnceForACheckpointThatItLeavesWhenItsHandlerHasEnded() {
    var job = bench.job("held");
    job.runs(bench.credit());
    var going = bench.code.next();
    going.ends();
    job.records();
    var kept = going.attempt().checkpoint(Json.of("1")).toCompletableFuture();

    checkpointed("1").tell(new ReportReply.Unavailable(job.id, "away", Duration.ZERO));

    assertThat(kept)
        .failsWithin(BoundedWaits.PATIENCE)
        .withThrowableThat()
        .withMessageContaining("the handler has ended");
  }

  @Test
  void isNotSilentWhileItWaitsForItsCheckpoint() {
    var attempt = started();
    var kept = attempt.checkpoint(Json.of("1")).toCompletableFuture();
    var question = checkpointed("1");

    bench.nanos.addAndGet(SECOND.toNanos());
    assertThat(attempt.silence()).isZero();
    question.tell(new ReportReply.Recorded(child.id, 1));

    assertThat(kept).succeedsWithin(BoundedWaits.PATIENCE);
    assertThat(attempt.silence()).isZero();
    bench.nanos.addAndGet(SECOND.toNanos());
    assertThat(attempt.silence()).isEqualTo(SECOND);
  }

  private HandlerAttempt started() {
    bench.job("held").runs(bench.credit());
    return bench.code.next().attempt();
  }

  /// Awaits the first request to store this checkpoint.
  private ActorRef<ReportReply> checkpointed(String value) {
    return keeping(bench.router.expectMessageClass(JobEnvelope.class), value);
  }

  private static ActorRef<ReportReply> keeping(JobEnvelope message, String value) {
    var asked = (Job.UpdateAttempt) message.command();
    assertThat(((JobCommand.Checkpoint) asked.command()).value()).isEqualTo(Json.of(value));
    return asked.replyTo();
  }

  /// Awaits the repeated request to store this checkpoint, after some of these time steps.
  private ActorRef<ReportReply> askedAgain(String value, Duration step) {
    var again = new AtomicReference<JobEnvelope>();
    BoundedWaits.until(
        "it asks again",
        () -> {
          actors.pass(step);
          try {
            again.set(bench.router.receiveMessage(Duration.ofMillis(10)));
            return true;
          } catch (AssertionError notYet) {
            return false;
          }
        });
    return keeping(again.get(), value);
  }

  private void says(HandlerAttempt attempt, String message) {
    bench.nanos.addAndGet(SECOND.toNanos());
    attempt.progress(new Progress(0.5, message));
  }

  private static List<String> lines(Job.UpdateAttempt note) {
    return ((JobCommand.Note) note.command()).notes().log();
  }

  private CompletableFuture<JobState> awaiting(HandlerAttempt attempt) {
    return OtherThread.call(() -> attempt.await(child.id));
  }

  /// Awaits the request for the child's current state.
  private ActorRef<StateReply> get() {
    return ((Job.Get) asked()).replyTo();
  }

  /// Awaits the request for the child's end.
  private ActorRef<WatchReply> watch() {
    return ((Job.Watch) asked()).replyTo();
  }

  private Job.Command asked() {
    var message = bench.router.expectMessageClass(JobEnvelope.class);
    assertThat(message.job()).isEqualTo(child.id);
    return message.command();
  }

  private JobState succeeded() {
    return running().apply(new JobFact.Succeeded(1, Json.NULL, AttemptNotes.NONE, Instant.EPOCH));
  }

  private JobState running() {
    return JobState.create(child.id, new JobFact.Submitted(child.spec, Instant.EPOCH, false));
  }
}
