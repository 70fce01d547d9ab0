package dev.handoff.internal.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.time.Instant;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("Watchers")
class JobWatchersTest {

  @RegisterExtension static final TestActors actors = TestActors.inManualTime();

  private final JobWatchers<String> watchers = new JobWatchers<>();
  private final TestProbe<String> first = actors.probe(String.class);
  private final TestProbe<String> second = actors.probe(String.class);

  @Test
  void areToldOfTheEnd() {
    watchers.add(first.ref(), JobSituations.NOW);
    watchers.add(second.ref(), JobSituations.NOW.plus(JobWatchers.PATIENCE).minusMillis(1));

    watchers.tell("over");

    first.expectMessage("over");
    second.expectMessage("over");
  }

  @Test
  void areToldOnce() {
    watchers.add(first.ref(), JobSituations.NOW);
    watchers.tell("over");
    watchers.tell("over again");

    first.expectMessage("over");
    first.expectNoMessage();
  }

  @Test
  void areForgottenWhenTheirPatienceIsOver() {
    watchers.add(first.ref(), JobSituations.NOW);
    watchers.add(second.ref(), JobSituations.NOW.plus(JobWatchers.PATIENCE));

    watchers.tell("over");

    second.expectMessage("over");
    first.expectNoMessage();
  }

  @Test
  void areForgottenAlsoWhenTheClockWasSetBack() {
    watchers.add(first.ref(), JobSituations.NOW);
    watchers.add(second.ref(), JobSituations.NOW.minus(Duration.ofDays(1)));

    watchers.tell("over");

    second.expectMessage("over");
    first.expectNoMessage();
  }

  @Test
  void pushNobodyOutAsLongAsThoseBeforeHaveGone() {
    var now = Instant.EPOCH;
    for (int hour = 0; hour < 2 * JobWatchers.MOST; hour++) {
      now = now.plus(Duration.ofHours(1));
      assertThat(watchers.add(first.ref(), now)).isEmpty();
    }
  }

  @Test
  void pushOutWhoHasWaitedLongestIfTooManyWaitAtOnce() {
    watchers.add(first.ref(), JobSituations.NOW);
    for (int i = 1; i < JobWatchers.MOST; i++) {
      assertThat(watchers.add(second.ref(), JobSituations.NOW)).isEmpty();
    }

    assertThat(watchers.add(second.ref(), JobSituations.NOW)).contains(first.ref());
  }
}
