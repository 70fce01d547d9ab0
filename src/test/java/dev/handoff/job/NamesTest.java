package dev.handoff.job;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A name")
class NamesTest {

  @ParameterizedTest
  @ValueSource(strings = {"a", "z", "A", "Z", "0", "9", "a.b_c:d-e", "x9", "aA", "zZ", "0-"})
  void isMadeOfLettersDigitsAndFourSigns(String name) {
    assertThat(Names.is(name)).isTrue();
    assertThat(Names.problem("type", name)).isEmpty();
  }

  /// Among them the neighbours of the ranges of letters and digits.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "", ".a", "_a", ":a", "-a", "a`", "a{", "a@", "a[", "a/", "a;", "a b", "aé", "a\0", "`",
        "{", "@", "[", "/", ";"
      })
  void isNothingElse(String name) {
    assertThat(Names.is(name)).isFalse();
  }

  @Test
  void hasUpTo128Characters() {
    assertThat(Names.is("x".repeat(128))).isTrue();
    assertThat(Names.is("x".repeat(129))).isFalse();
    assertThat(Names.is(null)).isFalse();
  }

  @Test
  void thatIsNoneIsShownWithTheRule() {
    assertThat(Names.problem("queue", "my queue"))
        .hasValue(
            "queue \"my queue\" is not a name: 1 to 128 letters, digits and . _ : -, the first a"
                + " letter or digit");
  }
}
