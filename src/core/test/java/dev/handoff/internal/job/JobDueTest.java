package dev.handoff.internal.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.testing.TestActors;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A job tells its dispatcher that it is due")
class JobDueTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private final JobHarness harness = new JobHarness(actors);

  @Test
  void sinceItWasSubmittedHoweverLongThatTookToBeWritten() {
    var submittedAt = harness.clock.instant();
    harness.submitted(JobSituations.spec());
    var append = harness.append();

    harness.clock.move(Duration.ofSeconds(5));
    harness.commit(append);

    assertThat(ready().due()).isEqualTo(submittedAt);
  }

  @Test
  void nowIfTheClockHasBeenSetBackSinceItWasSubmitted() {
    harness.submitted(JobSituations.spec());
    var append = harness.append();

    harness.clock.move(Duration.ofHours(-1));
    harness.commit(append);

    assertThat(ready().due()).isEqualTo(harness.clock.instant());
  }

  @Test
  void atItsTimeAndNotBefore() {
    var scheduled = JobSituations.scheduled();

    harness.live(scheduled);

    assertThat(ready().due()).isEqualTo(((JobPhase.Pending) scheduled.phase()).due());
    assertThat(((JobPhase.Pending) scheduled.phase()).due()).isAfter(harness.clock.instant());
  }

  private JobNotice.Ready ready() {
    return harness.dispatcher.expectMessageClass(JobNotice.Ready.class);
  }
}
