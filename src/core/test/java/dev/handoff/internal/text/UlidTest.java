package dev.handoff.internal.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.handoff.internal.ledger.CounterEntities;
import dev.handoff.testing.RandomSeeds;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An id")
class UlidTest {

  @Test
  void isValidAndCarriesItsPartition() {
    RandomSeeds.each(
        500,
        random -> {
          long now = random.nextLong(1L << 48);
          int partition = random.nextInt(Ulid.MAX_PARTITIONS);

          var id = new Ulid(random).next(now, partition);

          assertThat(Ulid.isValid(id)).as(id).isTrue();
          assertThat(Ulid.partition(id)).isEqualTo(partition);
        });
  }

  @Test
  void isHigherThanTheOneBeforeWhateverTheClockDoes() {
    RandomSeeds.each(
        100,
        random -> {
          var ids = new Ulid(random);
          var before = "";
          long now = 1_700_000_000_000L;
          for (int i = 0; i < 200; i++) {
            now += random.nextInt(4) - 2;
            var id = ids.next(now, 0);
            assertThat(id).isGreaterThan(before);
            before = id;
          }
        });
  }

  @Test
  void isTimeThenOrderThenChanceThenPartition() {
    assertThat(new Ulid(() -> 5L).next(1_000, 33))
        .isEqualTo("00000000Z8" + "0000005" + "0000005" + "11");
    assertThat(new Ulid(() -> -1L).next(0, 0))
        .isEqualTo("0000000000" + "FZZZZZZ" + "ZZZZZZZ" + "00");
    assertThat(Ulid.of(1_000, 33, 2, 1_023)).isEqualTo("00000000Z8" + "0000011" + "0000002" + "ZZ");
    assertThat(Ulid.of(0, -1, -1, 0)).isEqualTo("0000000000" + "ZZZZZZZ" + "ZZZZZZZ" + "00");
    assertThat(Ulid.of(0, 1L << 35, 1L << 35, 0)).isEqualTo("0".repeat(26));
    assertThat(new CounterEntities.CounterId(Ulid.of(0, 0, 0, 7)).partition()).isEqualTo(7);
  }

  @Test
  void isHigherThanOnesOfEarlierMilliseconds() {
    var one = new Ulid(new Random(1)).next(1_000, 1_023);
    var two = new Ulid(new Random(2)).next(1_001, 0);

    assertThat(two).isGreaterThan(one);
  }

  @Test
  void isNeverMadeTwice() {
    var seen = new HashSet<String>();
    for (int i = 0; i < 10_000; i++) {
      assertThat(seen.add(new Ulid(new Random(i)).next(1_700_000_000_000L, 0))).isTrue();
    }
  }

  @Test
  void isRefusedWhenItIsNone() {
    var id = new Ulid(new Random(1)).next(1_700_000_000_000L, 3);
    var others =
        List.of(
            "",
            id.substring(1),
            id + "0",
            "8" + id.substring(1),
            id.toLowerCase(java.util.Locale.ROOT),
            id.substring(0, 25) + "I",
            id.substring(0, 25) + "L",
            id.substring(0, 25) + "O",
            id.substring(0, 25) + "U",
            id.substring(0, 25) + "ü",
            id.substring(0, 25) + " ");

    assertThat(others).allMatch(other -> !Ulid.isValid(other));
    assertThat(Ulid.isValid(null)).isFalse();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Ulid.partition("x"))
        .withMessageContaining("26 characters");
  }

  @Test
  void hasAPartitionThatFits() {
    var ids = new Ulid(new Random(1));

    assertThatIllegalArgumentException().isThrownBy(() -> ids.next(1, 1_024));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ids.next(1, -1))
        .withMessage("partition must be 0 to 1023, was -1");
  }
}
