package dev.handoff.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.testing.Kinds;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The transition table of plans")
class PlanTransitionTableTest {

  @Test
  void isWhatTheRulesSay() {
    assertThat(PlanTransitionTable.saved())
        .as("run ./sbt \"Test/runMain dev.handoff.plan.PlanTransitionTable\" and look at the diff")
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
  void hasEveryCommandEveryAnswerAndEveryPhase() {
    var situations = PlanSamples.situations().values();
    var answers =
        situations.stream()
            .flatMap(
                plan ->
                    PlanSamples.commands().values().stream()
                        .map(command -> plan.decide(command, PlanSamples.LATER).answer()))
            .toList();

    assertThat(kinds(PlanSamples.commands().values())).containsAll(Kinds.of(PlanCommand.class));
    assertThat(kinds(situations.stream().map(PlanState::phase).toList()))
        .containsAll(Kinds.of(PlanPhase.class));
    assertThat(situations.stream().map(PlanState::status)).contains(PlanStatus.values());
    assertThat(kinds(answers)).containsAll(Kinds.of(PlanAnswer.class));
  }

  private static Set<Class<?>> kinds(Collection<?> things) {
    return things.stream().map(Object::getClass).collect(Collectors.toSet());
  }
}
