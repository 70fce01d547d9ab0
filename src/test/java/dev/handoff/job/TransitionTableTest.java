package dev.handoff.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.testing.Kinds;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The transition table")
class TransitionTableTest {

  @Test
  void isWhatTheRulesSay() {
    assertThat(TransitionTable.saved())
        .as("run ./sbt \"Test/runMain dev.handoff.job.TransitionTable\" and look at the difference")
        .isEqualTo(TransitionTable.text());
  }

  @Test
  void hasNoEmptyCell() {
    assertThat(TransitionTable.text().lines().filter(line -> line.startsWith("| ")))
        .allSatisfy(
            line ->
                assertThat(line.substring(1, line.length() - 1).split("\\|", -1))
                    .hasSize(4)
                    .allSatisfy(cell -> assertThat(cell).isNotBlank()));
  }

  @Test
  void hasEveryCommandAndEveryPhase() {
    var situations = Samples.situations().values();

    assertThat(kinds(Samples.commands(Samples.queued()).values()))
        .containsAll(Kinds.of(JobCommand.class));
    assertThat(kinds(situations.stream().map(JobState::phase).toList()))
        .containsAll(Kinds.of(Phase.class));
    assertThat(situations.stream().map(job -> job.status(Samples.NOW)))
        .contains(JobStatus.values());
  }

  private static Set<Class<?>> kinds(Collection<?> things) {
    return things.stream().map(Object::getClass).collect(Collectors.toSet());
  }
}
