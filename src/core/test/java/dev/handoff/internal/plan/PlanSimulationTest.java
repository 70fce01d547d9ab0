package dev.handoff.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.testing.RandomSeeds;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A plan with its jobs, whatever comes late or is lost,")
class PlanSimulationTest {

  private static final int SEEDS = Integer.getInteger("handoff.plans.seeds", 500);

  @Test
  void endsWithAllOfItsStepsAndBreaksNoPromiseOnTheWay() {
    var seen = new TreeMap<String, Integer>();

    RandomSeeds.each(
        SEEDS,
        random ->
            new PlanSimulation(random, PlanSimulation.Without.NOTHING)
                .run()
                .seen()
                .forEach((what, times) -> seen.merge(what, times, Integer::sum)));

    System.out.println(seen);
    assertThat(seen)
        .containsKeys("Recalled", "Filed", "StepDropped", "Reopened", "StopRequested", "Cancelled")
        .containsKeys("ApplyWritten", "ApplyUndone", "ChangesetClosed", "ChangesetDiscarded");
    assertThat(seen.get("crash")).isGreaterThan(SEEDS);
    assertThat(seen.get("retry of an ended plan")).isGreaterThan(SEEDS / 5);
    assertThat(seen.get("append turned down")).isGreaterThan(SEEDS);
  }

  @Test
  void waitsForEverIfANewStartDoesNotDecideAgainWhatItsStepsAreToDo() {
    assertThatThrownBy(() -> run(PlanSimulation.Without.ORDERS_FROM_STATE))
        .hasMessageContaining("it never ends");
  }

  @Test
  void waitsForEverIfWhatIsNotToRunAgainIsOnlyToldToStop() {
    assertThatThrownBy(() -> run(PlanSimulation.Without.DROPPING))
        .hasMessageContaining("it never ends");
  }

  private static void run(PlanSimulation.Without without) {
    RandomSeeds.each(200, random -> new PlanSimulation(random, without).run());
  }
}
