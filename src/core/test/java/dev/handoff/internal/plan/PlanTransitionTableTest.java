package dev.handoff.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.plan.PlanStatus;
import dev.handoff.testing.SealedKinds;
import dev.handoff.testing.TransitionIndex;
import java.util.Collection;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The transition table of plans")
class PlanTransitionTableTest {

  @Test
  void isWhatTheRulesSay() {
    assertThat(PlanTransitionTable.saved())
        .as(
            "run ./sbt \"core/Test/runMain dev.handoff.internal.plan.PlanTransitionTable\" and look"
                + " at the diff")
        .isEqualTo(PlanTransitionTable.text());
  }

  @Test
  void hasNoEmptyCell() {
    assertThat(PlanTransitionTable.text().lines().filter(line -> line.startsWith("| ")))
        .allSatisfy(
            line ->
                assertThat(line.substring(1, line.length() - 1).split("\\|", -1))
                    .hasSize(4)
                    .allSatisfy(cell -> assertThat(cell).isNotBlank()));
  }

  @Test
  void hasEveryStateInItsIndexAndLinksToSections() {
    var index = PlanTransitionTable.text().split("\n## ")[1];
    var sections = Pattern.compile("(?m)^## (.*)$").matcher(PlanTransitionTable.text()).results();
    var links = Pattern.compile("\\(#([^)]*)\\)").matcher(index).results();

    assertThat(index.lines().filter(line -> line.startsWith("* ")))
        .hasSameSizeAs(PlanSamples.situations().keySet());
    assertThat(PlanSamples.situations().keySet())
        .allSatisfy(state -> assertThat(index).contains("\n* **" + state + "**"));
    assertThat(sections.map(section -> TransitionIndex.anchor(section.group(1))))
        .containsAll(links.map(link -> link.group(1)).toList());
  }

  @Test
  void hasEveryCommandEveryAnswerAndEveryPhase() {
    var situations = PlanSamples.situations().values();
    var answers =
        situations.stream()
            .flatMap(
                plan ->
                    PlanSamples.commands().values().stream()
                        .map(command -> plan.decide(command, PlanSamples.LATER).answer()))
            .toList();

    assertThat(kinds(PlanSamples.commands().values()))
        .containsAll(SealedKinds.of(PlanCommand.class));
    assertThat(kinds(situations.stream().map(PlanState::phase).toList()))
        .containsAll(SealedKinds.of(PlanPhase.class));
    assertThat(situations.stream().map(PlanState::status)).contains(PlanStatus.values());
    assertThat(kinds(answers)).containsAll(SealedKinds.of(PlanAnswer.class));
  }

  private static Set<Class<?>> kinds(Collection<?> things) {
    return things.stream().map(Object::getClass).collect(Collectors.toSet());
  }
}
