package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.HeldHandler;
import dev.handoff.testing.StoreDirectory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Handlers that compute on all processors")
class ComputingHandlersTest {

  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
  private static final String WAITS =
      "for a processor: use `JobHandler.blocking`, or fewer workers";

  private final StoreDirectory home = StoreDirectory.of(StoreDirectory.Kind.FILE);
  private final AtomicBoolean enough = new AtomicBoolean();
  private final AtomicInteger calls = new AtomicInteger();
  private final CountDownLatch spinning = new CountDownLatch(PROCESSORS);
  private Handoff handoff = start();

  private Handoff start() {
    return Handoff.builder()
        .store(home.store())
        .cancelling(Duration.ofMillis(10), Duration.ofMillis(50))
        .shutdownGrace(Duration.ZERO)
        .handler("spin", Json.class, (payload, job) -> spin())
        .handler("quick", Json.class, (payload, job) -> calls.incrementAndGet())
        .handler("blocking", Json.class, JobHandler.blocking((payload, job) -> "done"))
        .start();
  }

  private Object spin() {
    spinning.countDown();
    while (!enough.get()) {
      Thread.onSpinWait();
    }
    return null;
  }

  @AfterEach
  void stop() {
    enough.set(true);
    handoff.close();
    home.close();
  }

  /// Starts twice as many computing jobs as processors, and then submits a quick job.
  private JobHandle behindThemAll() throws InterruptedException {
    for (int i = 0; i < 2 * PROCESSORS; i++) {
      handoff.submitOrThrow(JobRequest.of("spin"));
    }
    spinning.await();
    return handoff.submitOrThrow(
        JobRequest.of("quick").timeout(Duration.ofSeconds(2)).maxAttempts(2));
  }

  private List<String> problems() {
    return BoundedWaits.get(handoff.health()).problems();
  }

  private JobStatus status(JobHandle job) {
    return BoundedWaits.get(job.status()).status();
  }

  @Test
  void doNotMakeAJobFailThatHasNotBeenCalled() throws Exception {
    long begin = System.nanoTime();
    var quick = behindThemAll();

    BoundedWaits.until(
        "the handlers that wait are named",
        () -> problems().equals(List.of("%d handlers wait %s".formatted(PROCESSORS + 1, WAITS))));
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(5));
    BoundedWaits.until(
        "two time limits are over", () -> System.nanoTime() - begin > 6_000_000_000L);
    assertThat(status(quick)).isEqualTo(JobStatus.CLAIMED);
    enough.set(true);

    assertThat(BoundedWaits.get(quick.result())).isInstanceOf(Outcome.Succeeded.class);
    assertThat(calls).hasValue(1);
    BoundedWaits.until("nobody waits any more", () -> problems().isEmpty());
  }

  @Test
  void doNotHoldUpTheCancelOfAJobThatWaitsBehindThem() throws Exception {
    var quick = behindThemAll();
    BoundedWaits.until("it is claimed", () -> status(quick) == JobStatus.CLAIMED);

    assertThat(BoundedWaits.get(quick.cancel("enough").ended()))
        .isInstanceOf(CancelReport.Cancelled.class);

    enough.set(true);
    assertThat(calls).hasValue(0);
  }

  @Test
  void costAJobNoStartThatIsShutDownBehindThem() throws Exception {
    var quick = handoffOnce(behindThemAll());

    handoff.close();
    enough.set(true);
    handoff = start();

    assertThat(BoundedWaits.get(handoff.handle(quick.id()).result()))
        .isInstanceOf(Outcome.Succeeded.class);
    assertThat(calls.get()).isPositive();
  }

  /// Job with one attempt: it would fail if its claim counted as a start.
  private JobHandle handoffOnce(JobHandle other) {
    var once = handoff.submitOrThrow(JobRequest.of("quick").maxAttempts(1));
    BoundedWaits.until("both wait", () -> status(once) == JobStatus.CLAIMED);
    assertThat(status(other)).isEqualTo(JobStatus.CLAIMED);
    return once;
  }

  @Test
  void doNotHoldUpThoseThatHavePlatformThreads() throws Exception {
    behindThemAll();

    var blocking = handoff.submitOrThrow(JobRequest.of("blocking"));

    assertThat(BoundedWaits.get(blocking.result())).isInstanceOf(Outcome.Succeeded.class);
  }

  @Test
  void areQueuedAndNotClaimedWhileAllPlatformThreadsAreTaken() {
    var held = new HeldHandler();
    try (var other =
        Handoff.builder()
            .store(new StoreSettings.Memory())
            .set("blocking-threads", 2)
            .handler("compute", Json.class, JobHandler.blocking(held))
            .handler("quick", Json.class, (payload, job) -> calls.incrementAndGet())
            .start()) {
      var jobs = new ArrayList<JobHandle>();
      for (int i = 0; i < 5; i++) {
        jobs.add(other.submitOrThrow(JobRequest.of("compute")));
      }
      var first = held.next();
      var second = held.next();
      var quick = other.submitOrThrow(JobRequest.of("quick"));
      assertThat(BoundedWaits.get(quick.result())).isInstanceOf(Outcome.Succeeded.class);

      assertThat(statuses(jobs).filter(JobStatus.QUEUED::equals)).hasSize(3);
      assertThat(BoundedWaits.get(other.health()).busy()).isEqualTo(2);

      Stream.of(first, second).forEach(going -> going.succeed(null));
      for (int i = 0; i < 3; i++) {
        held.next().succeed(null);
      }
      jobs.forEach(
          job -> assertThat(BoundedWaits.get(job.result())).isInstanceOf(Outcome.Succeeded.class));
    }
  }

  private Stream<JobStatus> statuses(List<JobHandle> jobs) {
    return jobs.stream().map(this::status);
  }
}
