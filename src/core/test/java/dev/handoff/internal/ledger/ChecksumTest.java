package dev.handoff.internal.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.handoff.testing.RandomSeeds;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A checksum")
class ChecksumTest {

  @Test
  void letsThroughWhatIsWhole() throws IOException {
    assertThat(Checksum.verified(Checksum.behind(new byte[0]))).isEmpty();
    assertThat(Checksum.verified(Checksum.behind(new byte[] {1, 2, 3}))).containsExactly(1, 2, 3);
  }

  @Test
  void findsEveryFlippedBitAndEveryMissingByte() {
    RandomSeeds.each(
        20,
        random -> {
          var content = new byte[1 + random.nextInt(100)];
          random.nextBytes(content);
          var whole = Checksum.behind(content);
          for (int bit = 0; bit < whole.length * 8; bit++) {
            var flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            refused(flipped);
          }
          for (int length = 0; length < whole.length; length++) {
            refused(Arrays.copyOf(whole, length));
          }
        });
  }

  private static void refused(byte[] stored) {
    assertThatIOException().isThrownBy(() -> Checksum.verified(stored));
  }
}
