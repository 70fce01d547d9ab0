package dev.handoff.internal.context.assembly;

import static dev.handoff.internal.context.assembly.PipelineSamples.off;
import static dev.handoff.internal.context.assembly.PipelineSamples.on;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.handoff.context.ContextRequest;
import dev.handoff.context.Fragment;
import dev.handoff.context.PipelinePart.StrategySelector.Candidate;
import dev.handoff.context.PipelinePart.StrategySelector.Chosen;
import dev.handoff.context.PipelinePart.StrategySelector.Selection;
import dev.handoff.context.PipelinePart.StrategySelector.Skipped;
import dev.handoff.context.Strategy;
import dev.handoff.context.StrategyCall;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The selector")
class ConfidentSelectorTest {

  private static final Set<ContextRequest.Backend> FILES = EnumSet.of(ContextRequest.Backend.FILES);

  @Test
  void keepsAllThatAreOn_theMostConfidentFirst_equalOnesByName() {
    var selection =
        select(
            PipelineSamples.REQUEST, on(fixed("b", 0.4)), on(fixed("c", 0.9)), on(fixed("a", 0.4)));

    assertThat(names(selection)).containsExactly("c", "a", "b");
    assertThat(selection.skipped()).isEmpty();
  }

  @Test
  void leavesOutThoseThatAreOff_andSaysSo() {
    var selection = select(PipelineSamples.REQUEST, on(fixed("a", 0.4)), off(fixed("b", 0.9)));

    assertThat(names(selection)).containsExactly("a");
    assertThat(reasons(selection)).containsExactly(entry("b", "it is off"));
  }

  @Test
  void takesThoseThatTheRequestNames_evenIfTheyAreOffOrExpectNothing_andNoOthers() {
    var request = PipelineSamples.REQUEST.strategies("b", "c");

    var selection = select(request, on(fixed("a", 0.9)), off(fixed("b", 0.5)), on(fixed("c", 0)));

    assertThat(names(selection)).containsExactly("b", "c");
    assertThat(reasons(selection)).containsExactly(entry("a", "others were named"));
  }

  @Test
  void trustsAPreferredOneMoreThanItTrustsItself_andAsksItEvenIfItIsOff() {
    var request = PipelineSamples.REQUEST.prefer("b");

    var selection = select(request, on(fixed("a", 0.6)), off(fixed("b", 0.5)));

    assertThat(selection.chosen()).extracting(Chosen::confidence).containsExactly(0.75, 0.6);
    assertThat(names(selection)).containsExactly("b", "a");
  }

  @Test
  void leavesOutWhatExpectsNothing() {
    var selection = select(PipelineSamples.REQUEST, on(fixed("a", 0.6)), on(fixed("b", 0.04)));

    assertThat(names(selection)).containsExactly("a");
    assertThat(reasons(selection))
        .containsExactly(entry("b", "it expects nothing of this request"));
  }

  @Test
  void leavesOutWhatNeedsABackendThatIsNotThere() {
    var selection =
        select(
            PipelineSamples.REQUEST.strategies("git"),
            on(new Broken("git", 0.5, ContextRequest.Backend.GIT)));

    assertThat(selection.chosen()).isEmpty();
    assertThat(reasons(selection))
        .containsExactly(entry("git", "it needs GIT, which is not there"));
  }

  @Test
  void leavesOutWhatCannotSayHowConfidentItIs_andSaysWhy() {
    var selection =
        select(
            PipelineSamples.REQUEST,
            on(fixed("a", 0.6)),
            on(fixed("nan", Double.NaN)),
            on(fixed("two", 2)),
            on(new Broken("broken", -1, ContextRequest.Backend.FILES)));

    assertThat(names(selection)).containsExactly("a");
    assertThat(reasons(selection))
        .containsEntry(
            "nan",
            "its confidence failed: java.lang.IllegalArgumentException: it must be 0 to 1, was NaN")
        .containsEntry("broken", "its confidence failed: java.lang.StackOverflowError: null")
        .containsKey("two");
  }

  @Test
  void asksTheKeywordSearch_ifNobodyElseExpectsAnything() {
    var selection =
        select(
            PipelineSamples.REQUEST, on(fixed("a", 0)), on(fixed(ConfidentSelector.FALLBACK, 0)));

    assertThat(names(selection)).containsExactly(ConfidentSelector.FALLBACK);
    assertThat(reasons(selection)).containsOnlyKeys("a");
  }

  @Test
  void asksNobody_ifThereIsNobody() {
    assertThat(select(PipelineSamples.REQUEST).chosen()).isEmpty();
    assertThat(select(PipelineSamples.REQUEST, on(fixed("a", 0))).chosen()).isEmpty();
  }

  private static Selection select(ContextRequest request, Candidate... known) {
    return new ConfidentSelector().select(request, List.of(known), FILES);
  }

  private static Strategy fixed(String name, double confidence) {
    return new PipelineSamples.Fixed(name, confidence, List.of());
  }

  private static List<String> names(Selection selection) {
    return selection.chosen().stream().map(one -> one.strategy().name()).toList();
  }

  private static Map<String, String> reasons(Selection selection) {
    return selection.skipped().stream()
        .collect(Collectors.toMap(Skipped::strategy, Skipped::reason));
  }

  private record Broken(String name, double sure, ContextRequest.Backend backend)
      implements Strategy {
    @Override
    public double confidence(ContextRequest request, Set<ContextRequest.Backend> backends) {
      throw new StackOverflowError();
    }

    @Override
    public Set<ContextRequest.Backend> needs() {
      return Set.of(backend);
    }

    @Override
    public CompletionStage<List<Fragment>> gather(StrategyCall call) {
      throw new AssertionError("not asked");
    }
  }
}
