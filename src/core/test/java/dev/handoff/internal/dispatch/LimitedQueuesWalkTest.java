package dev.handoff.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// `-Dhandoff.seed=…` replays one seed.
@DisplayName("Queues with limits, whatever is done to them")
class LimitedQueuesWalkTest {

  private static final int OPERATIONS = 100_000;
  private static final int UNTIL_SETTLED = 50;

  private final long seed = Long.getLong("handoff.seed", System.nanoTime());

  @Test
  void loseNoSlotAndServeAttemptsThatWaitBeforeNewJobs() {
    walk(UnaryOperator.identity());
  }

  /// Test of the test: the first partition forgets to return one slot.
  @Test
  void areSeenToLoseASlotWhereOneIsLost() {
    assertThatThrownBy(() -> walk(message -> returning(-1, message)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContainingAll("at once of", "to be greater than or equal to");
  }

  /// Test of the test: the first partition returns one slot twice.
  @Test
  void areSeenToRunTooManyWhereASlotIsReturnedTwice() {
    assertThatThrownBy(() -> walk(message -> returning(1, message)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContainingAll("at once of", "to be less than or equal to");
  }

  private static Queues.Command returning(int more, Queues.Command message) {
    return message instanceof Queues.SlotsHeld held && held.partition() == 0 && held.returned() > 0
        ? new Queues.SlotsHeld(
            0, held.queue(), held.era(), held.granted(), held.returned() + more, held.wanted())
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
