package dev.handoff.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.testing.Actors;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A job tells its dispatcher that it is due")
class JobDueTest {

  @RegisterExtension static final Actors actors = Actors.inRealTime();

  private final JobHarness harness = new JobHarness(actors);

  @Test
  void sinceItWasSubmittedHoweverLongThatTookToBeWritten() {
    var submittedAt = harness.clock.instant();
    harness.submitted(Samples.spec());
    var append = harness.append();

    harness.clock.move(Duration.ofSeconds(5));
    harness.commit(append);

    assertThat(ready().due()).isEqualTo(submittedAt);
  }

  @Test
  void nowIfTheClockHasBeenSetBackSinceItWasSubmitted() {
    harness.submitted(Samples.spec());
    var append = harness.append();

    harness.clock.move(Duration.ofHours(-1));
    harness.commit(append);

    assertThat(ready().due()).isEqualTo(harness.clock.instant());
  }

  @Test
  void atItsTimeAndNotBefore() {
    var scheduled = Samples.scheduled();

    harness.live(scheduled);

    assertThat(ready().due()).isEqualTo(((Phase.Pending) scheduled.phase()).due());
    assertThat(((Phase.Pending) scheduled.phase()).due()).isAfter(harness.clock.instant());
  }

  private JobNotice.Ready ready() {
    return harness.dispatcher.expectMessageClass(JobNotice.Ready.class);
  }
}
