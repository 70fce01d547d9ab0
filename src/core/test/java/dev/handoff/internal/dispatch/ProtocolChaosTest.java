package dev.handoff.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.testing.RandomSeeds;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("While messages are lost, doubled, late and in the wrong order")
class ProtocolChaosTest {

  private static final Duration LATE = MixedWork.HEARTBEAT.multipliedBy(3).dividedBy(2);

  @RegisterExtension
  static final TestActors actors = TestActors.inRealTime().with(FaultyMailbox.CONFIG);

  @Test
  void workGoesOnAndNothingStartsTwiceOrLeaks() {
    RandomSeeds.each(
        10,
        random -> {
          var faults = MessageFaults.atRandom(random, 0.1, LATE).install();

          try (var work = new MixedWork(actors, faults)) {
            work.run(() -> faults.happened() > 40);
            faults.stop();
            work.expectNoLeak();
          }

          assertThat(faults.happened()).isGreaterThan(40);
        });
  }
}
