package dev.handoff.internal.dispatch.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Backoff;
import dev.handoff.Json;
import dev.handoff.cancel.Cancellation;
import dev.handoff.internal.dispatch.DispatcherBench;
import dev.handoff.internal.dispatch.WorkerPool;
import dev.handoff.internal.job.AttemptReport;
import dev.handoff.internal.job.JobCommand;
import dev.handoff.internal.job.JobOptions;
import dev.handoff.internal.job.WorkerCredit;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A handler whose thread waits for a processor")
class HeldUpHandlerTest {

  private static final Duration LIMIT = Duration.ofSeconds(3);

  @RegisterExtension static final TestActors actors = TestActors.inManualTime();

  private final PoolBench bench = new PoolBench(actors, false, 2);
  private final PoolBench.Seat job =
      bench.job("held", new JobOptions(LIMIT, LIMIT, 3, Backoff.none(), Map.of()));

  HeldUpHandlerTest() {
    bench.hasNoProcessors();
  }

  private void begins(WorkerCredit credit) {
    job.runs(credit);
    bench.awaitWaitingThread();
  }

  @Test
  void startsWhenItsThreadRunsAndHasItsWholeTimeFromThere() {
    begins(bench.credit());
    bench.passes(LIMIT.multipliedBy(5));
    bench.load();
    bench.router.expectNoMessage(Duration.ofMillis(1));

    bench.hasProcessors();
    job.hearsOfTheStart();
    bench.code.next();
    bench.passes(LIMIT.minusMillis(1));
    bench.load();
    bench.router.expectNoMessage(Duration.ofMillis(1));
    bench.passes(Duration.ofMillis(1));

    assertThat(job.routed()).isInstanceOf(JobCommand.TimeOut.class);
  }

  @Test
  void isCountedUntilItRuns() {
    begins(bench.credit());
    bench.load();
    assertThat(bench.load().heldUp()).isZero();

    bench.beat();
    bench.until("it is counted", load -> load.heldUp() == 1 && load.busy() == 1);
    bench.beat();
    bench.hasProcessors();
    bench.until("it counts no more", load -> load.heldUp() == 0 && load.busy() == 1);

    bench.code.next().ends();
    assertThat(job.records()).isEqualTo(new AttemptReport.Returned(Json.NULL));
  }

  @Test
  void isNotCalledAfterACancelWhichCostsNothing() {
    var credit = bench.credit();
    begins(credit);
    bench.beat();
    bench.until("it is counted", load -> load.heldUp() == 1);

    job.stops(credit);

    assertThat(job.records()).isEqualTo(new AttemptReport.NeverStarted());
    bench.until("its worker is back", load -> load.busy() == 0 && load.heldUp() == 0);
    bench.hasProcessors();
    bench.load();
    assertThat(bench.code.isQuiet()).isTrue();
  }

  @Test
  void isNotCalledOnceItsLeaseIsLost() {
    var credit = bench.credit();
    begins(credit);

    bench.pool.tell(new WorkerPool.GiveBack(credit.number()));

    assertThat(job.records()).isEqualTo(new AttemptReport.NeverStarted());
    bench.hasProcessors();
    bench.until("its worker is back", load -> load.busy() == 0);
    assertThat(bench.code.isQuiet()).isTrue();
  }

  @Test
  void isNotCalledOnceTheEngineHasShutDown() {
    var stopped = actors.probe(WorkerPool.Stopped.class);
    begins(bench.credit());
    bench.pool.tell(new WorkerPool.Shutdown(stopped.ref()));
    bench.load();

    bench.passes(DispatcherBench.SETTINGS.shutdownGrace());

    assertThat(job.records()).isEqualTo(new AttemptReport.NeverStarted());
    assertThat(stopped.receiveMessage().abandoned()).isZero();
  }

  /// The thread has started, but its worker has not received that message yet.
  @Test
  void isStoppedLikeAnyOtherIfItHasBegunInThisMoment() {
    bench.hasProcessors();
    var credit = bench.credit();
    job.runs(credit);
    var going = bench.code.next();

    job.stops(credit);

    BoundedWaits.until(
        "its token is cancelled", () -> going.attempt().cancellation().isCancelled());
    bench.passes(DispatcherBench.SETTINGS.grace());
    assertThat(job.records()).isEqualTo(new AttemptReport.Stopped(Cancellation.Cause.REQUESTED));
  }
}
