package dev.handoff.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.ledger.Counters.Counter;
import dev.handoff.ledger.Counters.CounterId;
import dev.handoff.store.Ownership;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A checkpoint")
class CheckpointsTest {

  private static final LedgerSettings SETTINGS =
      new LedgerSettings(
          5, 4_096, 4_096, 100_000, 1_024, 1_024, Duration.ZERO, Duration.ofMillis(5));

  private static Checkpoints checkpoints(long stateBytes) {
    var states = new LiveStates();
    return new Checkpoints(SETTINGS, new Ledger.Recovered(null, states, stateBytes, 0));
  }

  @Test
  void isDueWhenTheLogIsLargerThanWhatIsWorthOne() {
    var checkpoints = checkpoints(0);

    assertThat(checkpoints.logged(1_024, 1, new LiveStates())).isEmpty();
    assertThat(checkpoints.logged(1, 2, new LiveStates())).isPresent();
  }

  @Test
  void isDueWhenTheLogIsLargerThanTwiceTheLastOne() {
    var checkpoints = checkpoints(1_000);

    assertThat(checkpoints.logged(2_000, 1, new LiveStates())).isEmpty();
    assertThat(checkpoints.logged(1, 2, new LiveStates())).isPresent();
  }

  @Test
  void isCutWhereAPieceIsAsLargeAsItShouldBe() {
    var codec = Counters.codec();
    var state = new Counter(new CounterId(id()), 1, List.of(1, 2, 3), false);
    var draft = new Checkpoints.Draft(List.of(state, state, state), 1, 0, 0);
    int size = codec.encodeState(state).length;
    var owner = new Ownership(0, 1, 0);

    var exact = draft.encode(owner, codec, 2 * size);
    var little = draft.encode(owner, codec, 2 * size + 1);

    assertThat(exact.rest().from()).isEqualTo(2);
    assertThat(exact.chunk().last()).isFalse();
    assertThat(little.rest().from()).isEqualTo(3);
    assertThat(little.chunk().last()).isTrue();
  }

  private static String id() {
    return new Ulid(new Random(1)).next(1, 0);
  }
}
