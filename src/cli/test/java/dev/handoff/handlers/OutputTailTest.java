package dev.handoff.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The tail of an output")
class OutputTailTest {

  private static final String NOTE = "[only the end of the output is kept]\n";

  @Test
  void isAllOfAShortOne() {
    var tail = OutputTail.EMPTY.plus(bytes("one\n")).plus(bytes("two\n"));

    assertThat(tail.text()).isEqualTo("one\ntwo\n");
    assertThat(tail.chunks()).hasSize(1);
    assertThat(tail.dropped()).isZero();
  }

  @Test
  void isTheLast64KiBOfALongOneAndSaysSo() {
    var tail = OutputTail.EMPTY;
    for (int i = 0; i < 100; i++) {
      tail = tail.plus(bytes(("%04d".formatted(i)).repeat(1_000)));
    }

    assertThat(tail.text())
        .hasSize(NOTE.length() + OutputTail.MOST_BYTES)
        .startsWith(NOTE + "0083")
        .endsWith("0099");
    assertThat(tail.kept()).isLessThan(2 * OutputTail.MOST_BYTES);
    assertThat(tail.kept() + tail.dropped()).isEqualTo(400_000);
  }

  @Test
  void neverBeginsInTheMiddleOfACharacter() {
    var tail = OutputTail.EMPTY.plus(bytes("é".repeat(OutputTail.MOST_BYTES))).plus(bytes("x"));

    assertThat(tail.text()).startsWith(NOTE + "é").doesNotContain("\uFFFD");
  }

  @Test
  void isTextWhateverCame() {
    var tail = OutputTail.EMPTY.plus(new byte[] {'a', 0, (byte) 0xFF, 'b'});

    assertThat(tail.text()).isEqualTo("a\uFFFD\uFFFDb");
  }

  @Test
  void staysSmallAsJsonToo() throws Exception {
    var escapes = OutputTail.EMPTY.plus(bytes("\u001b".repeat(60_000)));
    var rubbish = OutputTail.EMPTY.plus(new byte[60_000]);
    var quotes = OutputTail.EMPTY.plus(bytes("\"\\".repeat(30_000)));

    for (var tail : new OutputTail[] {escapes, rubbish, quotes}) {
      var json =
          JsonMapper.builder()
              .build()
              .writeValueAsBytes(new ExecHandler.Result(0, tail.text(), tail.text()));
      assertThat(json).hasSizeLessThan(256 * 1024);
    }
    assertThat(escapes.text()).startsWith(NOTE);
  }

  @Test
  void hasAnEndForMessages() {
    assertThat(OutputTail.EMPTY.plus(bytes("  all is lost\n")).end(100)).isEqualTo("all is lost");
    assertThat(OutputTail.EMPTY.plus(bytes("all is lost")).end(4)).isEqualTo("lost");
    assertThat(OutputTail.EMPTY.plus(bytes("a😀b")).end(2)).isEqualTo("b");
    assertThat(OutputTail.EMPTY.end(10)).isEmpty();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
