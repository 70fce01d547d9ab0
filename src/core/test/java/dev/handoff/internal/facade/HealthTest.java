package dev.handoff.internal.facade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.CancelReport;
import dev.handoff.Handoff;
import dev.handoff.Health;
import dev.handoff.JobRequest;
import dev.handoff.Json;
import dev.handoff.Submission;
import dev.handoff.internal.facade.start.EngineBuilder;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.HeldHandler;
import dev.handoff.testing.HeldStore;
import dev.handoff.testing.StoreDirectory;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("The health of an engine")
class HealthTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private final StoreDirectory home = StoreDirectory.of(StoreDirectory.Kind.FILE);
  private final HeldHandler held = new HeldHandler();
  private final CompletableFuture<Void> release = new CompletableFuture<>();
  private HeldStore store;
  private Handoff handoff;

  @BeforeEach
  void start() {
    handoff = builder().handler("deaf", Json.class, (payload, job) -> deaf()).start();
  }

  private EngineBuilder builder() {
    return EngineBuilder.on(actors.system())
        .store(home.store())
        .around(inner -> store = new HeldStore(inner))
        .workers(3)
        .cancelling(Duration.ofMillis(10), Duration.ofMillis(20))
        .shutdownGrace(Duration.ZERO)
        .handler("held", Json.class, held);
  }

  private Object deaf() {
    while (!release.isDone()) {
      Thread.onSpinWait();
    }
    return null;
  }

  @AfterEach
  void stop() {
    release.complete(null);
    handoff.close();
    home.close();
  }

  private Health health() {
    return BoundedWaits.get(handoff.health());
  }

  @Test
  void isGoodWhileNothingIsWrong() {
    assertThat(health()).isEqualTo(new Health(true, java.util.List.of(), 3, 0, 0));
    assertThat(health().isDegraded()).isFalse();
  }

  @Test
  void countsWhoIsBusy() {
    handoff.submitOrThrow(JobRequest.of("held"));
    handoff.submitOrThrow(JobRequest.of("held"));
    held.next();
    held.next();

    assertThat(health().busy()).isEqualTo(2);
  }

  @Test
  void isDegradedWhileTheStoreIsAwayAndGoodAgainAfterwards() {
    store.goAway();
    var submission = handoff.submit(JobRequest.of("held"));
    BoundedWaits.until("it is noticed", () -> health().isDegraded());

    assertThat(health().ready()).isFalse();
    assertThat(health().problems()).containsExactly("the store is away: taken away");

    store.back();
    assertThat(BoundedWaits.get(submission)).isInstanceOf(Submission.Accepted.class);
    BoundedWaits.until("it is well again", () -> health().ready());
    held.next().succeed(null);
  }

  @Test
  void countsAttemptsThatWereGivenUpUntilTheyEnd() {
    var job = handoff.submitOrThrow(JobRequest.of("deaf"));
    BoundedWaits.until(
        "it runs", () -> BoundedWaits.get(job.status()).status().label().equals("running"));

    assertThat(BoundedWaits.get(job.cancel("enough").ended()))
        .isInstanceOf(CancelReport.Abandoned.class);

    BoundedWaits.until("it is counted", () -> health().abandoned() == 1);
    release.complete(null);
    BoundedWaits.until("it has ended", () -> health().abandoned() == 0);
    assertThat(health().busy()).isZero();
  }

  @Test
  void namesTypesThatNobodyRuns() {
    handoff.submitOrThrow(JobRequest.of("deaf").delay(Duration.ofMillis(500)));
    handoff.close();

    handoff = builder().start();

    BoundedWaits.until("it is noticed", () -> health().isDegraded());
    assertThat(health().problems()).containsExactly("no worker for type deaf");
    assertThat(health().ready()).isTrue();
  }
}
