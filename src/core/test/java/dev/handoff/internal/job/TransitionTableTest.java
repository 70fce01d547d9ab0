package dev.handoff.internal.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.JobStatus;
import dev.handoff.testing.SealedKinds;
import dev.handoff.testing.TransitionIndex;
import java.util.Collection;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The transition table")
class TransitionTableTest {

  @Test
  void isWhatTheRulesSay() {
    assertThat(TransitionTable.saved())
        .as(
            "run ./sbt \"core/Test/runMain dev.handoff.internal.job.TransitionTable\" and look at"
                + " the difference")
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
  void hasEveryStateInItsIndexAndLinksToSections() {
    var index = TransitionTable.text().split("\n## ")[1];
    var sections = Pattern.compile("(?m)^## (.*)$").matcher(TransitionTable.text()).results();
    var links = Pattern.compile("\\(#([^)]*)\\)").matcher(index).results();

    assertThat(index.lines().filter(line -> line.startsWith("* ")))
        .hasSameSizeAs(JobSituations.situations().keySet());
    assertThat(JobSituations.situations().keySet())
        .allSatisfy(state -> assertThat(index).contains("\n* **" + state + "**"));
    assertThat(sections.map(section -> TransitionIndex.anchor(section.group(1))))
        .containsAll(links.map(link -> link.group(1)).toList());
  }

  @Test
  void hasEveryCommandAndEveryPhase() {
    var situations = JobSituations.situations().values();

    assertThat(kinds(JobSituations.commands(JobSituations.queued()).values()))
        .containsAll(SealedKinds.of(JobCommand.class));
    assertThat(kinds(situations.stream().map(JobState::phase).toList()))
        .containsAll(SealedKinds.of(JobPhase.class));
    assertThat(situations.stream().map(job -> job.status(JobSituations.NOW)))
        .contains(JobStatus.values());
  }

  private static Set<Class<?>> kinds(Collection<?> things) {
    return things.stream().map(Object::getClass).collect(Collectors.toSet());
  }
}
