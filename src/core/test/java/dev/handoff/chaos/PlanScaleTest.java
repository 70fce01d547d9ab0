package dev.handoff.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.Handoff;
import dev.handoff.HandoffBuilder;
import dev.handoff.JobContext;
import dev.handoff.JobRequest;
import dev.handoff.Json;
import dev.handoff.StoreSettings;
import dev.handoff.plan.PlanInfo;
import dev.handoff.plan.PlanOutcome;
import dev.handoff.plan.PlanRequest;
import dev.handoff.plan.PlanRetryAnswer;
import dev.handoff.plan.PlanSubmission;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.ChangeHistory;
import dev.handoff.testing.PlanInvariants;
import dev.handoff.testing.PlanStoreSamples;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Plans in great number and size")
class PlanScaleTest {

  private static final int PLANS = 200;

  @TempDir Path directory;
  private final AtomicInteger done = new AtomicInteger();

  private StoreSettings.Kind store() {
    return new StoreSettings.File(directory.resolve("data"));
  }

  @Test
  void endWithoutEverRunningMoreAtOnceThanTheyMay() {
    var scale = new PlanScale();
    try (var handoff = scale.start(store())) {
      for (var plan : scale.submit(handoff, PLANS)) {
        assertThat(BoundedWaits.get(plan.result())).isEqualTo(new PlanOutcome.Succeeded(plan.id()));
      }
    }
    var stored = PlanStoreSamples.of(store());

    assertThat(stored.plans()).hasSize(PLANS);
    assertThat(scale.done()).isEqualTo(stored.jobs().size());
    assertThat(PlanInvariants.violations(new ChangeHistory(), stored)).isEmpty();
    assertThat(stored.widest().values()).containsOnly(PlanScale.PARALLEL);
    assertThat(scale.most().values()).allMatch(most -> most <= PlanScale.PARALLEL);
  }

  private HandoffBuilder builder() {
    return Handoff.builder()
        .store(store())
        .workers(32)
        .set("ledger.checkpoint-after", "1GiB")
        .handler("leaf", Json.class, (payload, job) -> done.incrementAndGet());
  }

  private static PlanRequest plan(int steps, Object payload) {
    var plan = PlanRequest.of("large").maxParallel(50);
    for (int number = 0; number < steps; number++) {
      plan = plan.step("step-" + number, JobRequest.of("leaf", payload));
    }
    return plan;
  }

  @Test
  void ofTenThousandStepsAreOneAcceptedAppendAndRunToTheirEnd() {
    try (var handoff = builder().start()) {
      var plan = handoff.plans().submitOrThrow(plan(10_000, 1));

      assertThat(BoundedWaits.get(plan.result())).isEqualTo(new PlanOutcome.Succeeded(plan.id()));
    }
    var stored = PlanStoreSamples.of(store());

    assertThat(done).hasValue(10_000);
    assertThat(stored.jobs()).hasSize(10_000);
    assertThat(stored.plans().values())
        .singleElement()
        .satisfies(
            plan ->
                assertThat(plan.steps().count(PlanInfo.StepStatus.SUCCEEDED)).isEqualTo(10_000));
    assertThat(PlanInvariants.violations(new ChangeHistory(), stored)).isEmpty();
  }

  /// Each dropped step stores the reason, and all of them have to fit in one append.
  @Test
  void ofTenThousandStepsAreOpenedAgainAndStoppedForAReasonOfAnyLength() {
    try (var handoff = builder().handler("gate", Json.class, this::failOnceThenWait).start()) {
      var plan = handoff.plans().submitOrThrow(behindAGate());
      assertThat(BoundedWaits.get(plan.result())).isInstanceOf(PlanOutcome.Failed.class);
      assertThat(BoundedWaits.get(plan.retry("me"))).isInstanceOf(PlanRetryAnswer.Reopened.class);

      BoundedWaits.get(plan.cancel("y".repeat(1_000), "me").requested());

      assertThat(BoundedWaits.get(plan.result())).isInstanceOf(PlanOutcome.Cancelled.class);
    }

    assertThat(done.get()).isBetween(1, 2);
  }

  private static PlanRequest behindAGate() {
    var plan = PlanRequest.of("large").step("gate", JobRequest.of("gate").maxAttempts(1));
    for (int number = 1; number < 10_000; number++) {
      plan = plan.step("step-" + number, JobRequest.of("leaf", 1), PlanRequest.after("gate"));
    }
    return plan;
  }

  private Object failOnceThenWait(Json payload, JobContext job) throws InterruptedException {
    if (done.getAndIncrement() == 0) {
      throw new IllegalStateException("not yet");
    }
    job.cancellation().await(Duration.ofMinutes(1));
    job.cancellation().throwIfCancelled();
    return null;
  }

  @Test
  void ofMoreStepsAreRefusedAndLeaveNothing() {
    try (var handoff = builder().start()) {
      assertThat(BoundedWaits.get(handoff.plans().submit(plan(10_001, 1))))
          .isInstanceOfSatisfying(
              PlanSubmission.Invalid.class,
              refused ->
                  assertThat(refused.problems()).singleElement().asString().contains("10,000"));
    }

    expectNothing();
  }

  /// Every payload alone is within its limit.
  @Test
  void ofMoreThanAnAppendHoldsAreRefusedAndLeaveNothing() {
    try (var handoff = builder().start()) {
      var answer = BoundedWaits.get(handoff.plans().submit(plan(50, "x".repeat(200_000))));

      assertThat(answer)
          .isInstanceOfSatisfying(
              PlanSubmission.Refused.class,
              refused -> assertThat(refused.reason()).contains("8388608"));
      assertThat(BoundedWaits.get(handoff.plans().submitOrThrow(plan(2, 1)).result()))
          .isInstanceOf(PlanOutcome.Succeeded.class);
    }
    var stored = PlanStoreSamples.of(store());

    assertThat(stored.plans()).hasSize(1);
    assertThat(stored.jobs()).hasSize(2);
  }

  private void expectNothing() {
    var stored = PlanStoreSamples.of(store());
    assertThat(stored.plans()).isEmpty();
    assertThat(stored.jobs()).isEmpty();
    assertThat(stored.facts()).isEmpty();
  }
}
