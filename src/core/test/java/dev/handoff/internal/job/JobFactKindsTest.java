package dev.handoff.internal.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.testing.SealedKinds;
import java.util.HashSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The kind of a fact")
class JobFactKindsTest {

  @Test
  void saysWhatTheFactDoesToItsJob() {
    var seen = new HashSet<Class<?>>();
    for (var situation : JobSituations.situations().values()) {
      for (var command : JobSituations.commands(situation).values()) {
        var before = situation;
        for (var fact : JobSituations.decide(situation, command).facts()) {
          var after = before.apply(fact);
          check(fact, before, after);
          seen.add(fact.getClass());
          before = after;
        }
      }
    }

    seen.add(JobFact.Submitted.class);
    assertThat(seen).containsExactlyInAnyOrderElementsOf(SealedKinds.of(JobFact.class));
  }

  private static void check(JobFact fact, JobState before, JobState after) {
    boolean ends = !before.ended() && after.ended();
    boolean freed = before.underway().isPresent() && after.underway().isEmpty();
    boolean opens = before.ended() || before.phase() instanceof JobPhase.Waiting;
    assertThat(fact instanceof JobFact.Ending).as(fact.toString()).isEqualTo(ends);
    assertThat(fact instanceof JobFact.AttemptOver).as(fact.toString()).isEqualTo(freed && !ends);
    assertThat(fact instanceof JobFact.Opening).as(fact.toString()).isEqualTo(opens && !ends);
    if (fact instanceof JobFact.ForRecord && !(fact instanceof JobFact.Started)) {
      assertThat(after.phase()).as(fact.toString()).isEqualTo(before.phase());
    }
  }
}
