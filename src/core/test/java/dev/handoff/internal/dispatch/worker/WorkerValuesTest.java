package dev.handoff.internal.dispatch.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobError;
import dev.handoff.Json;
import dev.handoff.cancel.Cancellation;
import dev.handoff.internal.dispatch.LoneDispatcher;
import dev.handoff.internal.dispatch.WorkerPool;
import dev.handoff.internal.job.AttemptNotes;
import dev.handoff.internal.job.AttemptReport;
import dev.handoff.internal.job.JobCommand;
import dev.handoff.internal.job.JobSpec;
import dev.handoff.internal.job.ReportReply;
import dev.handoff.internal.job.WorkerOrder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What workers go by")
class WorkerValuesTest {

  private static final Cancellation WHY =
      new Cancellation(Cancellation.Cause.REQUESTED, "enough", "ann");
  private static final JobError ERROR = JobError.of("x", "y");

  private final LoneDispatcher desk = new LoneDispatcher();
  private final TestInbox<WorkerPool.Command> pool = TestInbox.create();
  private final WorkerAttempt running = running(order(1, 7));

  private WorkerOrder.Run order(int job, long credit) {
    var spec = JobSpec.of("t", Json.NULL);
    return new WorkerOrder.Run(credit, LoneDispatcher.id(job), 3, spec, null, desk.ref(job));
  }

  private static WorkerAttempt running(WorkerOrder.Run order) {
    var environment =
        new Worker.Environment(null, Map.of(), null, null, null, null, ThreadsAndClock.REAL);
    var attempt = new HandlerAttempt(order, environment, null);
    return new WorkerAttempt(5, order, attempt, null, null, ParkedThreads.NONE);
  }

  private WorkerOrder.Stop stop(int job, long credit) {
    return new WorkerOrder.Stop(
        credit, LoneDispatcher.id(job), 3, WHY, Duration.ZERO, desk.ref(job));
  }

  private static AttemptReport end(UnrecordedReport report) {
    return report.report().report();
  }

  @Test
  void isTheOrderOfTheirAttempt() {
    assertThat(running.has(7)).isTrue();
    assertThat(running.has(8)).isFalse();
    assertThat(running.isOf(order(1, 7))).isTrue();
    assertThat(running.isOf(order(2, 7))).isFalse();
    assertThat(running.isOf(order(1, 8))).isFalse();
    assertThat(running.isOf(stop(1, 7))).isTrue();
    assertThat(running.isOf(stop(2, 7))).isFalse();
    assertThat(running.isOf(stop(1, 8))).isFalse();
    assertThat(running.job()).isEqualTo(LoneDispatcher.id(1));
    assertThat(running.number()).isEqualTo(3);
  }

  @Test
  void isWhetherTheirAttemptIsParked() {
    var thread = new CompletableFuture<Void>();
    assertThat(running.mayPark()).isTrue();
    assertThat(running.stopped(WHY).mayPark()).isFalse();

    var parked = running.park();
    assertThat(parked.mayPark()).isFalse();
    assertThat(parked.isParked()).isTrue();
    assertThat(parked.parking().round()).isEqualTo(1);
    assertThat(parked.stopped(WHY).stopped()).isEqualTo(WHY);
    var back = parked.plus(thread).goOn();
    assertThat(thread).isCompleted();
    assertThat(back.isParked()).isFalse();
    assertThat(back.parking()).isEqualTo(new ParkedThreads(1, false, List.of()));
    assertThat(back.park().parking().round()).isEqualTo(2);
  }

  @Test
  void isWhatTheyTellTheirPool() {
    var to = new PoolSender("worker-1", pool.getRef());
    to.idle(4);
    to.heldUp(running);
    to.began(running);
    to.ended(running);
    to.abandoned(running);
    assertThat(pool.getAllReceived())
        .containsExactly(
            new WorkerPool.Idle("worker-1", 4),
            new WorkerPool.HeldUp("worker-1", 7),
            new WorkerPool.Began("worker-1", 7),
            new WorkerPool.Ended("worker-1", 7),
            new WorkerPool.Abandoned("worker-1", 7));

    to.parking(running);
    assertThat(pool.getAllReceived()).isEmpty();
    to.parking(running.park());
    assertThat(pool.getAllReceived())
        .containsExactly(new WorkerPool.Parked("worker-1", 7, LoneDispatcher.id(1), 1));
    to.parking(running.park().plus(new CompletableFuture<>()));
    assertThat(pool.getAllReceived())
        .containsExactly(
            new WorkerPool.Parked("worker-1", 7, LoneDispatcher.id(1), 1),
            new WorkerPool.WantsToGoOn("worker-1", 7, 1));
  }

  @Test
  void isHowAnAttemptHasEnded() {
    var returned = new AttemptReport.Returned(Json.NULL);
    var later = new AttemptReport.Later(Duration.ofSeconds(1));
    var threw = new AttemptReport.Threw(ERROR);
    var asked = running.stopped(WHY);

    assertThat(end(UnrecordedReport.of(running, threw))).isEqualTo(threw);
    assertThat(end(UnrecordedReport.of(running, returned))).isEqualTo(returned);
    assertThat(end(UnrecordedReport.of(asked, returned))).isEqualTo(returned);
    assertThat(end(UnrecordedReport.of(asked, later))).isEqualTo(later);
    assertThat(end(UnrecordedReport.of(asked, threw)))
        .isEqualTo(new AttemptReport.Stopped(WHY.cause()));
    var abandoned = UnrecordedReport.abandoned(asked);
    assertThat(end(abandoned)).isEqualTo(new AttemptReport.Abandoned(WHY.cause()));
    assertThat(abandoned.isOf(5)).isTrue();
    assertThat(abandoned.isOf(6)).isFalse();
    assertThat(abandoned.ended().isOf(5)).isFalse();
    assertThat(abandoned.ended().report()).isEqualTo(abandoned.report());
    assertThat(UnrecordedReport.failed(order(1, 7), threw))
        .isEqualTo(
            new UnrecordedReport(
                LoneDispatcher.id(1), 7, new JobCommand.Report(3, threw, AttemptNotes.NONE), null));
    assertThat(end(UnrecordedReport.neverStarted(stop(1, 7))))
        .isEqualTo(new AttemptReport.NeverStarted());
  }

  @Test
  void isWhetherAReportIsAnswered() {
    var report = UnrecordedReport.neverStarted(order(1, 7));
    var job = LoneDispatcher.id(1);

    for (int attempt : new int[] {3, 2}) {
      boolean own = attempt == 3;
      assertThat(report.isAnsweredBy(new ReportReply.Recorded(job, attempt))).isEqualTo(own);
      assertThat(report.isAnsweredBy(new ReportReply.Fenced(job, attempt, 9))).isEqualTo(own);
      assertThat(report.isAnsweredBy(new ReportReply.NotRecorded(job, attempt, ""))).isEqualTo(own);
    }
    assertThat(report.isAnsweredBy(new ReportReply.Recorded(LoneDispatcher.id(2), 3))).isFalse();
    assertThat(report.isAnsweredBy(new ReportReply.Unavailable(job, "", Duration.ZERO))).isFalse();
  }

  @Test
  void isACallThatHappensOnceOrNever() {
    var calls = new AtomicInteger();
    var call = new OneTimeCall(calls::incrementAndGet);
    call.run();
    call.run();
    assertThat(calls).hasValue(1);
    assertThat(call.callOff()).isFalse();

    var never = new OneTimeCall(calls::incrementAndGet);
    assertThat(never.callOff()).isTrue();
    assertThat(never.callOff()).isFalse();
    never.run();
    assertThat(calls).hasValue(1);
  }

  @Test
  void isTheNewestHundredLines() {
    var ring = new RecentLogLines();
    IntStream.range(0, 100).forEach(line -> ring.add("line " + line));
    assertThat(ring.take()).hasSize(100).startsWith("line 0");
    assertThat(ring.take()).isEmpty();
    IntStream.range(0, 101).forEach(line -> ring.add("line " + line));
    ring.add("x".repeat(2_000));

    assertThat(ring.take())
        .hasSize(100)
        .startsWith("line 2")
        .endsWith("x".repeat(1_017) + "… (cut)");
  }

  @Test
  void isTheKindOfThread() throws InterruptedException {
    for (boolean blocking : new boolean[] {true, false}) {
      var name = new CompletableFuture<String>();
      var thread =
          ThreadsAndClock.REAL.start(
              blocking, "a-name", () -> name.complete(Thread.currentThread().getName()));
      thread.join();

      assertThat(name).isCompletedWithValue("a-name");
      assertThat(thread.isVirtual()).isEqualTo(!blocking);
      assertThat(thread.isDaemon()).isTrue();
    }
    long now = ThreadsAndClock.REAL.nanoTime();
    assertThat(ThreadsAndClock.REAL.nanoTime())
        .isBetween(now, now + Duration.ofMinutes(1).toNanos());
    assertThat(now).isNotZero();
  }
}
