package dev.handoff.internal.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The permits of a breaker")
class CallPermitsTest {

  private static final Instant NOW = Instant.ofEpochSecond(1_000);

  private static CallPermits given(int count) {
    var permits = CallPermits.from(0);
    for (int i = 0; i < count; i++) {
      permits = permits.give(NOW);
    }
    return permits;
  }

  @Test
  void areNumberedAndOutUntilTheyComeBack() {
    var permits = CallPermits.from(70).give(NOW).give(NOW);

    assertThat(permits.next()).isEqualTo(72);
    assertThat(permits.out()).isEqualTo(2);
    assertThat(permits.isOut(69)).isFalse();
    assertThat(permits.isOut(70)).isTrue();
    assertThat(permits.isOut(71)).isTrue();
    assertThat(permits.isOut(72)).isFalse();
    assertThat(permits.takeBack(70).isOut(70)).isFalse();
    assertThat(permits.takeBack(70).isOut(71)).isTrue();
    assertThat(permits.takeBack(70).out()).isEqualTo(1);
  }

  @Test
  void areKeptInBlocksOf64() {
    assertThat(given(64).blocks()).hasSize(1);
    assertThat(given(65).blocks())
        .containsExactly(new CallPermits.Block(0, -1, NOW), new CallPermits.Block(1, 1, NOW));
  }

  @Test
  void leaveNoBlockBehind() {
    var permits = given(64);
    for (int i = 0; i < 64; i++) {
      permits = permits.takeBack(i);
    }

    assertThat(permits).isEqualTo(CallPermits.from(64));
  }

  @Test
  void areFoundWhereverTheyAre() {
    for (int blocks = 1; blocks < 9; blocks++) {
      var permits = given(64 * blocks);
      var out = new BitSet();
      out.set(0, 64 * blocks);
      for (int i = 7; i < 64 * blocks; i += 13) {
        permits = permits.takeBack(i);
        out.clear(i);
      }
      for (int i = 0; i <= 64 * blocks; i++) {
        assertThat(permits.isOut(i)).as("permit %d of %d", i, 64 * blocks).isEqualTo(out.get(i));
      }
      assertThat(permits.out()).isEqualTo(out.cardinality());
    }
  }

  @Test
  void areLostAfterAWhileByBlocks() {
    var minute = Duration.ofMinutes(1);
    var permits = given(66).takeBack(3).give(NOW.plusSeconds(5));

    assertThat(permits.forgetOlderThan(minute, NOW.plusSeconds(60))).isSameAs(permits);
    assertThat(permits.forgetOlderThan(minute, NOW.plusSeconds(61)))
        .isEqualTo(
            new CallPermits(67, 3, List.of(new CallPermits.Block(1, 7, NOW.plusSeconds(5)))));
    assertThat(permits.forgetOlderThan(minute, NOW.plusSeconds(65)).out()).isEqualTo(3);
    assertThat(permits.forgetOlderThan(minute, NOW.plusSeconds(66)))
        .isEqualTo(CallPermits.from(67));
    assertThat(CallPermits.from(7).forgetOlderThan(minute, NOW)).isEqualTo(CallPermits.from(7));
  }
}
