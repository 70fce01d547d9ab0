package dev.handoff.internal.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.ledger.CounterEntities.Counter;
import dev.handoff.internal.ledger.CounterEntities.CounterId;
import dev.handoff.internal.store.PartitionOwnership;
import dev.handoff.internal.text.Ulid;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
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
    var codec = CounterEntities.codec();
    var state = new Counter(new CounterId(id()), 1, List.of(1, 2, 3), false);
    var draft = new Checkpoints.Draft(List.of(state, state, state), 1, 0, 0);
    int size = codec.encodeState(state).length;
    var owner = new PartitionOwnership(0, 1, 0);

    var exact = draft.encode(owner, codec, 2 * size);
    var little = draft.encode(owner, codec, 2 * size + 1);

    var roomy = draft.encode(owner, codec, 100 * size);
    assertThat(roomy.rest().from()).isEqualTo(3);
    assertThat(roomy.chunk().number()).isZero();
    assertThat(roomy.rest().number()).isEqualTo(1);
    assertThat(exact.rest().from()).isEqualTo(2);
    assertThat(exact.chunk().last()).isFalse();
    assertThat(little.rest().from()).isEqualTo(3);
    assertThat(little.chunk().last()).isTrue();
  }

  @Test
  void goesOnPieceByPieceAndIsTheMeasureOfTheNextOne() {
    var codec = CounterEntities.codec();
    var states = new LiveStates();
    for (int number = 0; number < 2; number++) {
      states.put(new Counter(new CounterId(CounterEntities.id(number)), 1, List.of(), false));
    }
    var checkpoints = checkpoints(0);
    var draft = checkpoints.logged(1_025, 1, states).orElseThrow();
    assertThat(checkpoints.logged(9_000, 2, states)).as("one is under way").isEmpty();

    var first = draft.encode(new PartitionOwnership(0, 1, 0), codec, 1);
    var second =
        checkpoints.written(first).orElseThrow().encode(new PartitionOwnership(0, 1, 0), codec, 1);

    assertThat(first.chunk().last()).isFalse();
    assertThat(second.chunk().last()).isTrue();
    assertThat(checkpoints.written(second)).isEmpty();
    assertThat(checkpoints.logged(1, 3, states)).as("the log has grown meanwhile").isPresent();
  }

  @Test
  void isDueAgainWhenTheLogIsTwiceAllOfItsPieces() {
    var states = new LiveStates();
    var large = numbers(1_000);
    states.put(new Counter(new CounterId(CounterEntities.id(1)), 1, large, false));
    states.put(new Counter(new CounterId(CounterEntities.id(2)), 1, large, false));
    var checkpoints = checkpoints(0);
    var owner = new PartitionOwnership(0, 1, 0);
    var draft = checkpoints.logged(1_025, 1, states).orElseThrow();
    var first = draft.encode(owner, CounterEntities.codec(), 1);
    var second = first.rest().encode(owner, CounterEntities.codec(), 1);
    checkpoints.written(first);
    checkpoints.written(second);
    int bytes = first.chunk().states().length + second.chunk().states().length;

    assertThat(checkpoints.logged(2 * bytes, 2, states)).isEmpty();
    assertThat(checkpoints.logged(1, 3, states)).isPresent();
  }

  private static List<Integer> numbers(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  private static String id() {
    return new Ulid(new Random(1)).next(1, 0);
  }
}
