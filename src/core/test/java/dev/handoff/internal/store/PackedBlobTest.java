package dev.handoff.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.handoff.testing.RandomSeeds;
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
class PackedBlobTest {

  private static final byte[] TEXT =
      HistoryRows.bytes("the same line again and again\n".repeat(100));

  @Test
  void isNamedByItsHashAndKnowsItsLength() {
    var blob = PackedBlob.of(HistoryRows.bytes("abc"));

    assertThat(blob.sha256())
        .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assertThat(blob.length()).isEqualTo(3);
    assertThat(blob).hasToString("Blob[" + blob.sha256() + ", 3 bytes]");
  }

  @Test
  void isNotLargerThanContentsMayBe() {
    assertThat(PackedBlob.of(new byte[PackedBlob.MOST_BYTES]).length())
        .isEqualTo(PackedBlob.MOST_BYTES);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> PackedBlob.of(new byte[PackedBlob.MOST_BYTES + 1]))
        .withMessageContaining("10485761 bytes")
        .withMessageContaining("more than 10485760")
        .withMessageContaining("leave it out or divide it");
  }

  @Test
  void isShorterIfItCanBe() {
    assertThat(PackedBlob.of(TEXT).packedLength()).isLessThan(TEXT.length / 10);
    assertThat(PackedBlob.of(new byte[0]).packedLength()).isEqualTo(1);
    assertThat(PackedBlob.of(random(1_024)).packedLength()).isEqualTo(1_025);
    assertThat(PackedBlob.of(random(1 << 20)).packedLength()).isEqualTo(1 + (1 << 20));
  }

  @ParameterizedTest
  @ValueSource(
      ints = {0, 1, 64, 1_000, 2_047, 2_048, 2_049, 4_095, 4_096, 4_097, 65_536, 1_000_000})
  void isUnpackedAsItWas(int length) {
    var text = new byte[length];
    for (int at = 0; at < length; at++) {
      text[at] = TEXT[(at * 7 + at / 100) % TEXT.length];
    }

    assertThat(BlobPacking.unpack(BlobPacking.pack(text))).isEqualTo(text);
    assertThat(BlobPacking.unpack(BlobPacking.pack(random(length)))).isEqualTo(random(length));
  }

  /// Content repetitive enough for a compression attempt that gains nothing.
  @Test
  void isKeptAsItIsWhenDeflatingItGainsNothing() {
    var content = random(100);
    Arrays.fill(content, 0, 9, (byte) 1);

    assertThat(BlobPacking.unpack(BlobPacking.pack(content))).isEqualTo(content);
  }

  @Test
  void isNothingWhenItWasNeverPacked() {
    assertThat(BlobPacking.unpack(new byte[0])).isNull();
    assertThat(BlobPacking.unpack(new byte[] {2, 1, 2, 3})).isNull();
    assertThat(BlobPacking.unpack(new byte[] {1})).isNull();
    assertThat(BlobPacking.unpack(new byte[PackedBlob.MOST_BYTES + 2])).isNull();
    var packed = BlobPacking.pack(TEXT);
    assertThat(BlobPacking.unpack(Arrays.copyOf(packed, packed.length - 1))).isNull();
    assertThat(BlobPacking.unpack(Arrays.copyOf(packed, packed.length + 1))).isNull();
  }

  /// A decompression bomb: a few kilobytes that expand to gigabytes.
  @Test
  void isNeverMoreThanContentsMayBeWhateverItClaims() {
    var most = deflated(PackedBlob.MOST_BYTES);
    var bomb = deflated(1 << 30);

    assertThat(BlobPacking.unpack(most)).hasSize(PackedBlob.MOST_BYTES);
    assertThat(bomb.length).isLessThan(8 << 20);
    assertThat(BlobPacking.unpack(bomb)).isNull();
    assertThat(BlobPacking.unpack(deflated(PackedBlob.MOST_BYTES + 1))).isNull();
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

  /// Exception: the unused bits after the end of a deflate stream have no meaning.
  @Test
  void isNeverTakenForAnotherWhenABitIsFlipped() {
    var contents = List.of(TEXT, random(500), HistoryRows.bytes("short"));
    var noticed = new AtomicInteger();

    RandomSeeds.each(
        300,
        random -> {
          var content = contents.get(random.nextInt(contents.size()));
          var blob = PackedBlob.of(content);
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
