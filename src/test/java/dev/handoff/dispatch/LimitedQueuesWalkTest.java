package dev.handoff.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Run one seed again with `-Dhandoff.seed=…`.
@DisplayName("Queues with limits, whatever is done to them")
class LimitedQueuesWalkTest {

  private static final int OPERATIONS = 100_000;
  private static final int UNTIL_SETTLED = 50;

  private final long seed = Long.getLong("handoff.seed", System.nanoTime());

  @Test
  void loseNoSlotAndServeAttemptsThatWaitBeforeNewJobs() {
    walk(UnaryOperator.identity());
  }

  /// The test of this test: the first partition forgets to give one slot back.
  @Test
  void areSeenToLoseASlotWhereOneIsLost() {
    assertThatThrownBy(() -> walk(LimitedQueuesWalkTest::withoutOneSlot))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("at once of");
  }

  private static Queues.Command withoutOneSlot(Queues.Command message) {
    return message instanceof Queues.SlotsHeld held && held.partition() == 0 && held.returned() > 0
        ? new Queues.SlotsHeld(
            0, held.queue(), held.era(), held.granted(), held.returned() - 1, held.wanted())
        : message;
  }

  private void walk(UnaryOperator<Queues.Command> wire) {
    var walk = new LimitedQueuesWalk(seed, wire);
    for (int i = 1; i <= OPERATIONS; i++) {
      try {
        walk.step();
        if (i % UNTIL_SETTLED == 0) {
          walk.requireThatNothingIsLost();
        }
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed %d, operation %d: %s".formatted(seed, i, e.getMessage()), e);
      }
    }
    assertThat(walk.waited()).as("attempts that waited for a slot").isGreaterThan(1000);
  }
}
