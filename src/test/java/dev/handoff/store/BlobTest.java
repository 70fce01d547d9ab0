package dev.handoff.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.handoff.testing.Seeds;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.Deflater;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A content that is made ready")
class BlobTest {

  private static final byte[] TEXT = Rows.bytes("the same line again and again\n".repeat(100));

  @Test
  void isNamedByItsHashAndKnowsItsLength() {
    var blob = Blob.of(Rows.bytes("abc"));

    assertThat(blob.sha256())
        .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assertThat(blob.length()).isEqualTo(3);
    assertThat(blob).hasToString("Blob[" + blob.sha256() + ", 3 bytes]");
  }

  @Test
  void isNotLargerThanContentsMayBe() {
    assertThat(Blob.of(new byte[Blob.MOST_BYTES]).length()).isEqualTo(Blob.MOST_BYTES);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Blob.of(new byte[Blob.MOST_BYTES + 1]))
        .withMessageContaining("10485761 bytes")
        .withMessageContaining("more than 10485760")
        .withMessageContaining("leave it out or divide it");
  }

  @Test
  void isShorterIfItCanBe() {
    assertThat(Blob.of(TEXT).packedLength()).isLessThan(TEXT.length / 10);
    assertThat(Blob.of(new byte[0]).packedLength()).isEqualTo(1);
    assertThat(Blob.of(random(1_024)).packedLength()).isEqualTo(1_025);
    assertThat(Blob.of(random(1 << 20)).packedLength()).isEqualTo(1 + (1 << 20));
  }

  @ParameterizedTest
  @ValueSource(
      ints = {0, 1, 64, 1_000, 2_047, 2_048, 2_049, 4_095, 4_096, 4_097, 65_536, 1_000_000})
  void isUnpackedAsItWas(int length) {
    var text = new byte[length];
    for (int at = 0; at < length; at++) {
      text[at] = TEXT[(at * 7 + at / 100) % TEXT.length];
    }

    assertThat(Packing.unpack(Packing.pack(text))).isEqualTo(text);
    assertThat(Packing.unpack(Packing.pack(random(length)))).isEqualTo(random(length));
  }

  /// Alike often enough to be tried, and yet not shorter.
  @Test
  void isKeptAsItIsWhenDeflatingItGainsNothing() {
    var content = random(100);
    Arrays.fill(content, 0, 9, (byte) 1);

    assertThat(Packing.unpack(Packing.pack(content))).isEqualTo(content);
  }

  @Test
  void isNothingWhenItWasNeverPacked() {
    assertThat(Packing.unpack(new byte[0])).isNull();
    assertThat(Packing.unpack(new byte[] {2, 1, 2, 3})).isNull();
    assertThat(Packing.unpack(new byte[] {1})).isNull();
    assertThat(Packing.unpack(new byte[Blob.MOST_BYTES + 2])).isNull();
    var packed = Packing.pack(TEXT);
    assertThat(Packing.unpack(Arrays.copyOf(packed, packed.length - 1))).isNull();
    assertThat(Packing.unpack(Arrays.copyOf(packed, packed.length + 1))).isNull();
  }

  /// A few kilobytes that claim to be gigabytes.
  @Test
  void isNeverMoreThanContentsMayBeWhateverItClaims() {
    var most = deflated(Blob.MOST_BYTES);
    var bomb = deflated(1 << 30);

    assertThat(Packing.unpack(most)).hasSize(Blob.MOST_BYTES);
    assertThat(bomb.length).isLessThan(8 << 20);
    assertThat(Packing.unpack(bomb)).isNull();
    assertThat(Packing.unpack(deflated(Blob.MOST_BYTES + 1))).isNull();
  }

  private static byte[] deflated(int zeros) {
    var packed = new ByteArrayOutputStream();
    packed.write(1);
    var deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
    var buffer = new byte[1 << 16];
    var input = new byte[1 << 20];
    for (long left = zeros; left > 0; left -= input.length) {
      deflater.setInput(input, 0, (int) Math.min(left, input.length));
      while (!deflater.needsInput()) {
        packed.write(buffer, 0, deflater.deflate(buffer));
      }
    }
    deflater.finish();
    while (!deflater.finished()) {
      packed.write(buffer, 0, deflater.deflate(buffer));
    }
    deflater.end();
    return packed.toByteArray();
  }

  /// But for the bits behind the last one of a deflated content, which mean nothing.
  @Test
  void isNeverTakenForAnotherWhenABitIsFlipped() {
    var contents = List.of(TEXT, random(500), Rows.bytes("short"));
    var noticed = new AtomicInteger();

    Seeds.each(
        300,
        random -> {
          var content = contents.get(random.nextInt(contents.size()));
          var blob = Blob.of(content);
          var damaged = blob.packed().clone();
          damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));

          var stored = StoredBlob.of(blob.sha256(), damaged);

          assertThat(stored.intact()).isEqualTo(Arrays.equals(stored.content(), content));
          noticed.addAndGet(stored.intact() ? 0 : 1);
        });

    assertThat(noticed).hasValueGreaterThan(280);
  }

  private static byte[] random(int length) {
    var bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }
}
