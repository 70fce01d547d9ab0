package dev.handoff.internal.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.dataformat.cbor.CBORFactory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("CBOR that is written by hand")
class CborWriterTest {

  private static final CborWriter.Name TYPE = CborWriter.Name.of("type");
  private static final CborWriter.Name FIELD = CborWriter.Name.of("field");

  private interface Content {
    void write(JsonGenerator out) throws IOException;
  }

  private static byte[] jackson(Content content) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = new CBORFactory().createGenerator(bytes)) {
      out.writeStartArray();
      out.writeString("type");
      out.writeStartObject();
      out.writeFieldName("field");
      content.write(out);
      out.writeEndObject();
      out.writeEndArray();
    }
    return bytes.toByteArray();
  }

  private static CborWriter begin() {
    return new CborWriter(1).typed(TYPE);
  }

  @Test
  void findsRoomWhateverComesFirst() {
    assertThat(new CborWriter(0).list(3).finished()).containsExactly(0x83);
    assertThat(new CborWriter(0).map().end().finished()).containsExactly(0xBF, 0xFF);
    assertThat(new CborWriter(1).name(CborWriter.Name.of("abc")).finished())
        .containsExactly(0x63, 'a', 'b', 'c');
  }

  @ParameterizedTest
  @ValueSource(
      longs = {
        0,
        1,
        23,
        24,
        255,
        256,
        65_535,
        65_536,
        0x12345678L,
        0x7FFFFFFFL,
        1L << 32,
        0x123456789ABCDEFL
      })
  void hasTheNumbersOfJackson(long number) throws IOException {
    assertThat(begin().field(FIELD, number).endTyped().finished())
        .isEqualTo(jackson(out -> out.writeNumber(number)));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 23, 24, 100, 255})
  void hasTheTextsOfJackson(int length) throws IOException {
    var text = "a~".repeat(length).substring(0, length);

    assertThat(begin().field(FIELD, text).endTyped().finished())
        .isEqualTo(jackson(out -> out.writeString(text)));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 23, 24, 255, 256, 65_535, 65_536})
  void hasTheBytesOfJackson(int length) throws IOException {
    var bytes = new byte[length];
    new Random(length).nextBytes(bytes);

    assertThat(begin().field(FIELD, bytes).endTyped().finished())
        .isEqualTo(jackson(out -> out.writeBinary(bytes)));
  }

  @Test
  void hasTheListsAndMapsOfJackson() throws IOException {
    var hand = begin().name(FIELD).list(2).map().field(FIELD, 1).end().map().end().endTyped();

    assertThat(hand.finished())
        .isEqualTo(
            jackson(
                out -> {
                  out.writeStartArray(null, 2);
                  out.writeStartObject();
                  out.writeNumberField("field", 1);
                  out.writeEndObject();
                  out.writeStartObject();
                  out.writeEndObject();
                  out.writeEndArray();
                }));
  }

  @Test
  void leavesAllElseToJackson() {
    assertThat(begin().field(FIELD, -1).endTyped().finished()).isNull();
    assertThat(begin().field(FIELD, "ü").endTyped().finished()).isNull();
    assertThat(begin().field(FIELD, "\u007f").endTyped().finished()).isNotNull();
    assertThat(begin().field(FIELD, "\u0080").endTyped().finished()).isNull();
    assertThat(begin().field(FIELD, "a".repeat(256)).endTyped().finished()).isNull();
    assertThat(begin().spoil().endTyped().finished()).isNull();
  }
}
