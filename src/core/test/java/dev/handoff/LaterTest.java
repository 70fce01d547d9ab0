package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.handoff.internal.text.Durations;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.HeldHandler;
import dev.handoff.testing.StoreDirectory;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A handler that wants to go on later")
class LaterTest {

  private static final Duration SOON = Duration.ofMillis(20);
  private static final Duration TOMORROW = Duration.ofDays(1);

  private final StoreDirectory home = StoreDirectory.of(StoreDirectory.Kind.FILE);
  private final HeldHandler held = new HeldHandler();
  private Handoff handoff = start();

  private Handoff start() {
    return Handoff.builder()
        .store(home.store())
        .cancelling(Duration.ofMillis(10), Duration.ofSeconds(10))
        .shutdownGrace(Duration.ZERO)
        .handler("held", Json.class, held)
        .start();
  }

  @AfterEach
  void stop() {
    handoff.close();
    home.close();
  }

  private JobHandle submit(int maxAttempts) {
    return handoff.submitOrThrow(JobRequest.of("held").maxAttempts(maxAttempts));
  }

  private void goesOnAfter(Duration delay) {
    var attempt = held.next();
    attempt.job().later(delay);
    attempt.succeed("not kept");
  }

  private JobInfo status(JobHandle job) {
    return BoundedWaits.get(job.status());
  }

  private void isScheduled(JobHandle job) {
    BoundedWaits.until("it waits", () -> status(job).status() == JobStatus.SCHEDULED);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void isCalledAgainAndHasLostNoStart(int maxAttempts) {
    var job = submit(maxAttempts);
    for (int i = 0; i < 3; i++) {
      goesOnAfter(SOON);
    }
    held.next().succeed("done");

    assertThat(BoundedWaits.get(job.result()))
        .isEqualTo(new Outcome.Succeeded(Json.of("\"done\"")));
    var ended = status(job);
    assertThat(ended.starts()).isEqualTo(1);
    assertThat(ended.attempt()).isEqualTo(4);
    assertThat(ended.toJson()).contains("\"outcome\":\"later\"").doesNotContain("not kept");
  }

  @Test
  void isCalledNotBeforeThatTime() {
    var job = submit(1);

    goesOnAfter(TOMORROW);
    isScheduled(job);

    var waiting = status(job);
    assertThat(waiting.nextRunAt().orElseThrow())
        .isAfter(waiting.createdAt().plus(Duration.ofHours(23)));
    assertThat(waiting.starts()).isZero();
    assertThat(waiting.error()).isEmpty();
  }

  @Test
  void hasKeptItsCheckpointAndStillWaitsAfterARestart() {
    var job = submit(1);
    var first = held.next();
    BoundedWaits.get(first.job().checkpoint(7));
    first.job().later(Duration.ofSeconds(2));
    first.succeed(null);
    isScheduled(job);

    handoff.close();
    handoff = start();

    var second = held.next();
    assertThat(second.job().checkpoint(Integer.class)).contains(7);
    second.succeed(null);
    assertThat(BoundedWaits.get(handoff.handle(job.id()).result()))
        .isInstanceOf(Outcome.Succeeded.class);
  }

  @Test
  void isNotCalledAgainIfTheJobIsCancelledMeanwhile() {
    var running = submit(3);
    var attempt = held.next();
    attempt.job().later(SOON);
    var cancelling = running.cancel("enough");
    BoundedWaits.get(cancelling.requested());
    attempt.succeed(null);

    assertThat(BoundedWaits.get(cancelling.ended())).isInstanceOf(CancelReport.Cancelled.class);

    var waiting = submit(3);
    goesOnAfter(TOMORROW);
    isScheduled(waiting);
    assertThat(BoundedWaits.get(waiting.cancel("enough").ended()))
        .isInstanceOf(CancelReport.Cancelled.class);
    assertThat(held.waiting()).isZero();
  }

  @Test
  void hasFailedIfItThrowsAllTheSame() {
    var job = submit(1);
    var attempt = held.next();

    attempt.job().later(SOON);
    attempt.fail("no");

    assertThat(BoundedWaits.get(job.result())).isInstanceOf(Outcome.Failed.class);
  }

  @Test
  void isToldWhichTimesCannotBe() {
    submit(1);
    var attempt = held.next();

    for (var wrong : List.of(Duration.ofNanos(-1), Duration.ofDays(365).plusMillis(1))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> attempt.job().later(wrong))
          .withMessage("later must be 0s to 365d, was " + Durations.exact(wrong));
    }
    attempt.job().later(Duration.ZERO);
    attempt.succeed(null);
    held.next().succeed(null);
  }
}
