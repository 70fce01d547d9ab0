package dev.handoff.internal.context.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.context.ContextRequest;
import dev.handoff.context.Fragment;
import dev.handoff.context.PlanDecisions;
import dev.handoff.context.PlanDecisions.Decision;
import dev.handoff.context.SearchDepth;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The strategy for decisions of a plan")
class PlanDecisionContextTest {

  private static final String NAME = "plan-decision-context";
  private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");

  private final StrategyBench bench = new StrategyBench(new HandView().file("a.md", "# A"));

  private static Decision decision(String step, int distance, String text) {
    return new Decision(step, distance, text, AT);
  }

  private List<Fragment> gather(String query, Decision... decisions) {
    return bench.gather(
        StrategyBench.strategy(NAME),
        bench.request(query).plan(new PlanDecisions(List.of(decisions))));
  }

  private double confidence(
      String query, Set<ContextRequest.Backend> backends, Decision... decisions) {
    return StrategyBench.strategy(NAME)
        .confidence(bench.request(query).plan(new PlanDecisions(List.of(decisions))), backends);
  }

  @Test
  void expectsSomethingWhereSomethingWasDecided() {
    var all = EnumSet.allOf(ContextRequest.Backend.class);
    var one = decision("one", 1, "use tills");

    assertThat(StrategyBench.strategy(NAME).needs()).containsExactly(ContextRequest.Backend.PLAN);
    assertThat(confidence("tills", all, one)).isEqualTo(0.7);
    assertThat(confidence("?!", all, one)).isZero();
    assertThat(confidence("tills", all)).isZero();
    assertThat(confidence("tills", EnumSet.of(ContextRequest.Backend.FILES), one)).isZero();
    assertThat(StrategyBench.strategy(NAME).confidence(bench.request("tills"), all)).isZero();
  }

  @Test
  void findsWhatHasWordsInCommonBeforeWhatHasNot() {
    var found =
        gather(
            "how are tills painted",
            decision("near", 1, "bells ring at noon"),
            decision("far", 2, "tills are painted green"));

    assertThat(CalledStrategy.resources(found))
        .containsExactly("decisions of step far", "decisions of step near");
    assertThat(found).extracting(Fragment::relevance).isSortedAccordingTo((a, b) -> b.compareTo(a));
    assertThat(found.getFirst().because()).startsWith("matches ").endsWith(", 2 steps before");
    assertThat(found.getLast().because()).isEqualTo("directly before");
    assertThat(found.getFirst().modified()).isEqualTo(AT);
  }

  @Test
  void findsWhatIsNearerFirstAndTheNewestOfEqualOnes() {
    var found =
        gather(
            "tills",
            decision("far", 3, "tills"),
            new Decision("old", 1, "tills", AT.minusSeconds(9)),
            decision("new", 1, "tills"));

    assertThat(CalledStrategy.resources(found))
        .containsExactly("decisions of step new", "decisions of step old", "decisions of step far");
  }

  @Test
  void putsTheDecisionsOfAStepTogetherAndShowsWhatMatchesFirst() {
    var found =
        gather(
            "tills",
            decision("in/one", 1, "bells are red"),
            decision("in/one", 1, "tills are green"));

    assertThat(found).hasSize(1);
    assertThat(found.getFirst().texts())
        .containsEntry(
            SearchDepth.FULL,
            "Decided in step in/one, earlier in this plan:\n- tills are green\n- bells are red\n")
        .containsEntry(
            SearchDepth.MATCHED,
            "Decided in step in/one, earlier in this plan:\n- tills are green\n")
        .containsEntry(SearchDepth.NAME, "Step in/one of this plan has decided something.\n");
  }

  @Test
  void givesNoMoreThanCanBeRead() {
    var many =
        IntStream.range(0, 100)
            .mapToObj(number -> decision("step" + number, 1 + number, "tills"))
            .toArray(Decision[]::new);

    assertThat(gather("tills", many)).hasSize(FragmentMaker.MOST);
    assertThat(gather("tills")).isEmpty();
  }

  @Test
  void isStopped() {
    bench
        .stop()
        .cancel(
            new dev.handoff.cancel.Cancellation(
                dev.handoff.cancel.Cancellation.Cause.REQUESTED, "not needed", "test"));

    assertThatThrownBy(() -> gather("tills", decision("one", 1, "tills")))
        .isInstanceOf(dev.handoff.cancel.CancelledException.class);
  }

  @Test
  void knowsNoStepsAfter() {
    assertThatThrownBy(() -> decision("one", 0, "tills"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"one\" was 0");
  }
}
