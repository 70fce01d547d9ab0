package dev.handoff.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.testing.Seeds;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Text from anywhere")
class TextTest {

  @Test
  void isKeptAsItIsWhenItIsFine() {
    var text = "plain, ünïcödé and \uD83D\uDE00";

    assertThat(Text.clean(text, 100)).isSameAs(text);
  }

  @Test
  void losesNulAndLoneSurrogates() {
    assertThat(Text.clean("a\0b\uD800c\uDC00d\uD83D", 100))
        .isEqualTo("a\uFFFDb\uFFFDc\uFFFDd\uFFFD");
    assertThat(Text.clean("\uD83D\uDE00\0\uD83D\uDE00", 100))
        .isEqualTo("\uD83D\uDE00\uFFFD\uD83D\uDE00");
  }

  @Test
  void isEmptyWhenThereIsNone() {
    assertThat(Text.clean(null, 10)).isEmpty();
    assertThat(Text.shown(null)).isEmpty();
  }

  @Test
  void saysThatItWasCut() {
    assertThat(Text.clean("x".repeat(200), 100)).hasSize(100).endsWith("x… (cut)");
  }

  @Test
  void isNeverCutThroughAPair() {
    var faces = "\uD83D\uDE00".repeat(100);

    for (int length = 8; length < 100; length++) {
      assertThat(Text.clean(faces, length))
          .doesNotContain("\uFFFD")
          .hasSizeLessThanOrEqualTo(length);
    }
  }

  @Test
  void canAlwaysBeStoredAfterwards() {
    Seeds.each(
        2_000,
        random -> {
          var text = any(random, random.nextInt(60));
          int length = 10 + random.nextInt(60);

          var clean = Text.clean(text, length);

          assertThat(clean.length()).isLessThanOrEqualTo(length);
          assertThat(Text.isClean(clean)).isTrue();
          assertThat(isEncodable(clean)).isTrue();
          assertThat(Text.clean(clean, length)).isEqualTo(clean);
          assertThat(Text.isClean(text)).isEqualTo(isEncodable(text) && text.indexOf('\0') < 0);
        });
  }

  @Test
  void isCutToBytesWhateverItsCharactersTake() {
    assertThat(Text.cleanBytes("a".repeat(200), 200)).isEqualTo("a".repeat(200));
    assertThat(Text.cleanBytes("a".repeat(201), 200)).startsWith("aaa").endsWith("… (cut)");
    Seeds.each(
        200,
        random -> {
          var text = any(random, random.nextInt(400));
          int most = 20 + random.nextInt(300);

          var clean = Text.cleanBytes(text, most);

          assertThat(Text.bytes(clean)).isEqualTo(clean.getBytes(StandardCharsets.UTF_8).length);
          assertThat(Text.bytes(clean)).isLessThanOrEqualTo(most);
          assertThat(Text.isClean(clean)).isTrue();
          assertThat(Text.cleanBytes(clean, most)).isEqualTo(clean);
        });
  }

  @Test
  void hasTheBytesThatItsCharactersTake() {
    for (var edge : List.of("\u007f", "\u0080", "\u07ff", "\u0800", "\uD83D\uDE00")) {
      assertThat(Text.bytes(edge)).isEqualTo(edge.getBytes(StandardCharsets.UTF_8).length);
    }
  }

  @Test
  void isCutWhereItShouldBeUnlessAPairIsThere() {
    var face = "\uD83D\uDE00";

    assertThat(Text.clean("ab" + face + "cdefgh", 9)).isEqualTo("ab… (cut)");
    assertThat(Text.clean("abc" + face + "defgh", 9)).isEqualTo("ab… (cut)");
    assertThat(Text.clean("a" + face + "bcdefgh", 9)).isEqualTo("a… (cut)");
    assertThat(Text.clean(face + face + face + face, 7)).isEqualTo("… (cut)");
    assertThat(Text.clean("abcdefgh", 3)).isEqualTo("… (cut)");
  }

  @Test
  void isShownWithoutWhatChangesTheScreen() {
    assertThat(Text.shown("a\u001b[31mb\u202Ec\nd\u2028e"))
        .isEqualTo("a\\u001b[31mb\\u202ec\\u000ad\\u2028e");
    assertThat(Text.shown("x".repeat(500))).hasSize(100);
    assertThat(Text.shown("ünïcödé \uD83D\uDE00")).isEqualTo("ünïcödé \uD83D\uDE00");
  }

  private static String any(Random random, int length) {
    var text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      switch (random.nextInt(5)) {
        case 0 -> text.append((char) (0xD800 + random.nextInt(0x800)));
        case 1 -> text.appendCodePoint(0x10000 + random.nextInt(0x1000));
        case 2 -> text.append('\0');
        default -> text.append((char) random.nextInt(0xD800));
      }
    }
    return text.toString();
  }

  private static boolean isEncodable(String text) {
    try {
      StandardCharsets.UTF_8.newEncoder().encode(java.nio.CharBuffer.wrap(text));
      return true;
    } catch (CharacterCodingException lone) {
      return false;
    }
  }
}
