package dev.handoff.internal.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.handoff.testing.RandomSeeds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A row of the log")
class RowFormatTest {

  @Test
  void isReadBackAsItWasWritten() {
    RandomSeeds.each(
        100,
        random -> {
          var entries =
              IntStream.range(0, random.nextInt(50))
                  .mapToObj(
                      i -> {
                        var bytes = new byte[random.nextInt(300)];
                        random.nextBytes(bytes);
                        return new RowFormat.Entry(CounterEntities.id(random.nextInt()), bytes);
                      })
                  .toList();

          var read = RowFormat.read(RowFormat.write(entries));

          assertThat(read)
              .extracting(RowFormat.Entry::entity)
              .isEqualTo(entries.stream().map(RowFormat.Entry::entity).toList());
          assertThat(read)
              .extracting(RowFormat.Entry::bytes)
              .containsExactlyElementsOf(entries.stream().map(RowFormat.Entry::bytes).toList());
        });
  }

  @Test
  void isNotWholeWhenItIsShort() {
    refused(new byte[0], "only 0 bytes");
    refused(new byte[8], "only 8 bytes");
  }

  @Test
  void isNotReadInAFormatOfANewerVersion() {
    refused(sealed(ByteBuffer.allocate(9).put((byte) 2)), "format 2, this version reads 1");
  }

  @Test
  void isNotReadWhenItsContentMakesNoSense() {
    refused(sealed(head(-1, 0)), "it cannot have -1 entries");
    refused(sealed(head(1_000_000, 40)), "it cannot have 1000000 entries");
    refused(sealed(head(3, 14)), "it cannot have 3 entries");
    refused(sealed(head(0, 3)), "3 bytes are left over");
    refused(
        sealed(head(1, 6).put((byte) 1).put((byte) 'a').putInt(9)), "an entry of 9 bytes, with 0");
    refused(sealed(head(1, 6).put((byte) 1).put((byte) 'a').putInt(-1)), "an entry of -1 bytes");
  }

  @Test
  void holdsTheFactsOfABatch() throws IOException {
    var facts =
        List.of(
            CounterEntities.added(CounterEntities.id(1), 1),
            CounterEntities.closed(CounterEntities.id(2)));

    var read = RowFormat.read(RowFormat.ofFacts(facts));

    assertThat(read)
        .extracting(RowFormat.Entry::entity)
        .containsExactly(CounterEntities.id(1), CounterEntities.id(2));
  }

  private static ByteBuffer head(int count, int more) {
    return ByteBuffer.allocate(9 + more).put((byte) 1).putInt(count);
  }

  /// Appends a valid checksum.
  private static byte[] sealed(ByteBuffer row) {
    var bytes = row.array();
    var crc = new CRC32C();
    crc.update(bytes, 0, bytes.length - 4);
    return row.putInt(bytes.length - 4, (int) crc.getValue()).array();
  }

  private static void refused(byte[] row, String reason) {
    assertThatIOException().isThrownBy(() -> RowFormat.read(row)).withMessageContaining(reason);
  }
}
