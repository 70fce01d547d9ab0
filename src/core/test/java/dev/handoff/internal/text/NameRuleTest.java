package dev.handoff.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A name")
class NameRuleTest {

  @ParameterizedTest
  @ValueSource(strings = {"a", "z", "A", "Z", "0", "9", "a.b_c:d-e", "x9", "aA", "zZ", "0-"})
  void isMadeOfLettersDigitsAndFourSigns(String name) {
    assertThat(NameRule.is(name)).isTrue();
    assertThat(NameRule.problem("type", name)).isEmpty();
  }

  /// Includes the characters next to the ranges of letters and digits.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "", ".a", "_a", ":a", "-a", "a`", "a{", "a@", "a[", "a/", "a;", "a b", "aé", "a\0", "`",
        "{", "@", "[", "/", ";"
      })
  void isNothingElse(String name) {
    assertThat(NameRule.is(name)).isFalse();
  }

  @Test
  void hasUpTo128Characters() {
    assertThat(NameRule.is("x".repeat(128))).isTrue();
    assertThat(NameRule.is("x".repeat(129))).isFalse();
    assertThat(NameRule.is(null)).isFalse();
  }

  @Test
  void thatIsNoneIsShownWithTheRule() {
    assertThat(NameRule.problem("queue", "my queue"))
        .hasValue(
            "queue \"my queue\" is not a name: 1 to 128 letters, digits and . _ : -, the first a"
                + " letter or digit");
  }
}
