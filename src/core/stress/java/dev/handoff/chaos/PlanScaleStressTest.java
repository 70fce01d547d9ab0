package dev.handoff.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.StoreSettings;
import dev.handoff.plan.PlanOutcome;
import dev.handoff.testing.ChangeHistory;
import dev.handoff.testing.PlanInvariants;
import dev.handoff.testing.PlanStoreSamples;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A thousand plans at once, four levels deep,")
class PlanScaleStressTest {

  private static final Duration LONGEST = Duration.ofMinutes(5);

  @TempDir Path directory;

  /// A thousand plans in total, or a thousand top-level plans.
  @ParameterizedTest
  @ValueSource(ints = {1_000, 4_000})
  void endWithoutEverRunningMoreStepsAtOnceThanTheyMay(int plans) throws Exception {
    var store = new StoreSettings.File(directory.resolve("data"));
    var scale = new PlanScale();
    try (var handoff = scale.start(store)) {
      long start = System.nanoTime();
      for (var plan : scale.submit(handoff, plans)) {
        long left = LONGEST.toNanos() - (System.nanoTime() - start);
        var outcome = plan.result().toCompletableFuture().get(left, TimeUnit.NANOSECONDS);
        assertThat(outcome).isEqualTo(new PlanOutcome.Succeeded(plan.id()));
      }
      System.out.printf(
          "%,d plans of %d steps, %d at a time: %,d ms%n",
          plans, PlanScale.STEPS, PlanScale.PARALLEL, (System.nanoTime() - start) / 1_000_000);
    }
    var stored = PlanStoreSamples.of(store);

    assertThat(stored.plans()).hasSize(plans);
    assertThat(scale.done()).isEqualTo(stored.jobs().size());
    assertThat(PlanInvariants.violations(new ChangeHistory(), stored)).isEmpty();
    assertThat(stored.widest().values()).containsOnly(PlanScale.PARALLEL);
    assertThat(scale.most().values()).allMatch(most -> most <= PlanScale.PARALLEL);
  }
}
