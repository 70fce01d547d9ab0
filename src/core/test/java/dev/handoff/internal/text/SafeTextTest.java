package dev.handoff.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.testing.RandomSeeds;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Text from anywhere")
class SafeTextTest {

  @Test
  void isKeptAsItIsWhenItIsFine() {
    var text = "plain, ünïcödé and \uD83D\uDE00";

    assertThat(SafeText.clean(text, 100)).isSameAs(text);
  }

  @Test
  void losesNulAndLoneSurrogates() {
    assertThat(SafeText.clean("a\0b\uD800c\uDC00d\uD83D", 100))
        .isEqualTo("a\uFFFDb\uFFFDc\uFFFDd\uFFFD");
    assertThat(SafeText.clean("\uD83D\uDE00\0\uD83D\uDE00", 100))
        .isEqualTo("\uD83D\uDE00\uFFFD\uD83D\uDE00");
  }

  @Test
  void isEmptyWhenThereIsNone() {
    assertThat(SafeText.clean(null, 10)).isEmpty();
    assertThat(SafeText.shown(null)).isEmpty();
  }

  @Test
  void saysThatItWasCut() {
    assertThat(SafeText.clean("x".repeat(200), 100)).hasSize(100).endsWith("x… (cut)");
  }

  @Test
  void isNeverCutThroughAPair() {
    var faces = "\uD83D\uDE00".repeat(100);

    for (int length = 8; length < 100; length++) {
      assertThat(SafeText.clean(faces, length))
          .doesNotContain("\uFFFD")
          .hasSizeLessThanOrEqualTo(length);
    }
  }

  @Test
  void canAlwaysBeStoredAfterwards() {
    RandomSeeds.each(
        2_000,
        random -> {
          var text = any(random, random.nextInt(60));
          int length = 10 + random.nextInt(60);

          var clean = SafeText.clean(text, length);

          assertThat(clean.length()).isLessThanOrEqualTo(length);
          assertThat(SafeText.isClean(clean)).isTrue();
          assertThat(isEncodable(clean)).isTrue();
          assertThat(SafeText.clean(clean, length)).isEqualTo(clean);
          assertThat(SafeText.isClean(text)).isEqualTo(isEncodable(text) && text.indexOf('\0') < 0);
        });
  }

  @Test
  void isCutToBytesWhateverItsCharactersTake() {
    assertThat(SafeText.cleanBytes("a".repeat(200), 200)).isEqualTo("a".repeat(200));
    assertThat(SafeText.cleanBytes("a".repeat(201), 200)).startsWith("aaa").endsWith("… (cut)");
    RandomSeeds.each(
        200,
        random -> {
          var text = any(random, random.nextInt(400));
          int most = 20 + random.nextInt(300);

          var clean = SafeText.cleanBytes(text, most);

          assertThat(SafeText.bytes(clean))
              .isEqualTo(clean.getBytes(StandardCharsets.UTF_8).length);
          assertThat(SafeText.bytes(clean)).isLessThanOrEqualTo(most);
          assertThat(SafeText.isClean(clean)).isTrue();
          assertThat(SafeText.cleanBytes(clean, most)).isEqualTo(clean);
        });
  }

  @Test
  void hasTheBytesThatItsCharactersTake() {
    for (var edge : List.of("\u007f", "\u0080", "\u07ff", "\u0800", "\uD83D\uDE00")) {
      assertThat(SafeText.bytes(edge)).isEqualTo(edge.getBytes(StandardCharsets.UTF_8).length);
    }
  }

  @Test
  void isCutWhereItShouldBeUnlessAPairIsThere() {
    var face = "\uD83D\uDE00";

    assertThat(SafeText.clean("ab" + face + "cdefgh", 9)).isEqualTo("ab… (cut)");
    assertThat(SafeText.clean("abc" + face + "defgh", 9)).isEqualTo("ab… (cut)");
    assertThat(SafeText.clean("a" + face + "bcdefgh", 9)).isEqualTo("a… (cut)");
    assertThat(SafeText.clean(face + face + face + face, 7)).isEqualTo("… (cut)");
    assertThat(SafeText.clean("abcdefgh", 3)).isEqualTo("… (cut)");
  }

  @Test
  void isShownWithoutWhatChangesTheScreen() {
    assertThat(SafeText.shown("a\u001b[31mb\u202Ec\nd\u2028e"))
        .isEqualTo("a\\u001b[31mb\\u202ec\\u000ad\\u2028e");
    assertThat(SafeText.shown("x".repeat(500))).hasSize(100);
    assertThat(SafeText.shown("ünïcödé \uD83D\uDE00")).isEqualTo("ünïcödé \uD83D\uDE00");
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
