package dev.handoff.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Handoff;
import dev.handoff.JobHandle;
import dev.handoff.JobRequest;
import dev.handoff.JobStatus;
import dev.handoff.Json;
import dev.handoff.Outcome;
import dev.handoff.QueueInfo;
import dev.handoff.plan.PlanOutcome;
import dev.handoff.plan.PlanRequest;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.HandClock;
import dev.handoff.testing.HeldHandler;
import dev.handoff.testing.StoreDirectory;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("An engine whose clock is set")
class ClockTest {

  private final HandClock clock = new HandClock(Instant.parse("2026-03-29T00:59:59Z"));
  private final StoreDirectory home = StoreDirectory.of(StoreDirectory.Kind.FILE);
  private final HeldHandler held = new HeldHandler();
  private Handoff handoff;

  @BeforeEach
  void start() {
    handoff = open();
  }

  private Handoff open() {
    return Handoff.builder()
        .store(home.store())
        .clock(clock)
        .workers(2)
        .set("dispatch.heartbeat", "50ms")
        .set("dispatch.lease", "200ms")
        .set("dispatch.margin", "50ms")
        .cancelling(Duration.ofMillis(10), Duration.ofSeconds(1))
        .shutdownGrace(Duration.ZERO)
        .handler("held", Json.class, held)
        .handler("quick", Json.class, (payload, job) -> payload)
        .start();
  }

  @AfterEach
  void stop() {
    handoff.close();
    home.close();
  }

  @ParameterizedTest(name = "by {0} h")
  @ValueSource(ints = {1, -1})
  void expiresNothingThatRuns(int hours) {
    var job =
        handoff.submitOrThrow(
            JobRequest.of("held")
                .timeout(Duration.ofMinutes(10))
                .heartbeatTimeout(Duration.ofMinutes(10)));
    var attempt = held.next();

    clock.move(Duration.ofHours(hours));
    letTimersGoOff();

    attempt.succeed("done");
    assertThat(BoundedWaits.get(job.result())).isInstanceOf(Outcome.Succeeded.class);
    assertThat(BoundedWaits.get(job.status()).attempt()).isEqualTo(1);
  }

  @ParameterizedTest(name = "by {0} h, restarted: {1}")
  @CsvSource({"1, false", "-1, false", "1, true", "-1, true"})
  void stopsNoPlanWhoseTimeIsNotOver(int hours, boolean restarted) {
    var request =
        PlanRequest.of("site").step("a", JobRequest.of("held")).deadline(Duration.ofMinutes(10));
    var plan = handoff.plans().submitOrThrow(request);
    var attempt = held.next();

    clock.move(Duration.ofHours(hours));
    if (restarted) {
      handoff.close();
      handoff = open();
      plan = handoff.plans().plan(plan.id());
      attempt = held.next();
    }
    letTimersGoOff();

    attempt.succeed("done");
    assertThat(BoundedWaits.get(plan.result())).isInstanceOf(PlanOutcome.Succeeded.class);
  }

  /// Runs a job into its time limit, which is longer than heartbeats and leases.
  private void letTimersGoOff() {
    var limited = JobRequest.of("held").timeout(Duration.ofMillis(400)).maxAttempts(1);
    assertThat(result(limited)).isInstanceOf(Outcome.Failed.class);
    held.next();
  }

  private Outcome result(JobRequest request) {
    return BoundedWaits.get(handoff.submitOrThrow(request).result());
  }

  @ParameterizedTest(name = "by {0} h")
  @ValueSource(ints = {1, -1})
  void runsWhatWasWaitingForAWorker(int hours) {
    handoff.submitOrThrow(JobRequest.of("held"));
    handoff.submitOrThrow(JobRequest.of("held"));
    var first = held.next();
    var second = held.next();
    var waiting = handoff.submitOrThrow(JobRequest.of("quick"));
    BoundedWaits.until("it is in its queue", () -> ready() == 1);

    clock.move(Duration.ofHours(hours));
    first.succeed(null);
    second.succeed(null);

    assertThat(BoundedWaits.get(waiting.result())).isInstanceOf(Outcome.Succeeded.class);
    assertThat(result(JobRequest.of("quick"))).isInstanceOf(Outcome.Succeeded.class);
  }

  private long ready() {
    return BoundedWaits.get(handoff.queues().list()).stream().mapToLong(QueueInfo::queued).sum();
  }

  @ParameterizedTest(name = "restarted: {0}")
  @ValueSource(booleans = {false, true})
  void runsNothingBeforeItIsDue(boolean restarted) {
    var later = handoff.submitOrThrow(JobRequest.of("quick").delay(Duration.ofMinutes(30)));

    clock.move(Duration.ofHours(-1));
    later = restarted ? again(later) : later;
    assertThat(result(JobRequest.of("quick"))).isInstanceOf(Outcome.Succeeded.class);
    assertThat(BoundedWaits.get(later.status()).status()).isEqualTo(JobStatus.SCHEDULED);

    clock.move(Duration.ofMinutes(89));
    later = restarted ? again(later) : later;
    assertThat(result(JobRequest.of("quick"))).isInstanceOf(Outcome.Succeeded.class);
    assertThat(BoundedWaits.get(later.status()).status()).isEqualTo(JobStatus.SCHEDULED);

    clock.move(Duration.ofMinutes(2));
    later = again(later);
    assertThat(BoundedWaits.get(later.result())).isInstanceOf(Outcome.Succeeded.class);
  }

  private JobHandle again(JobHandle job) {
    handoff.close();
    handoff = open();
    return handoff.handle(job.id());
  }
}
