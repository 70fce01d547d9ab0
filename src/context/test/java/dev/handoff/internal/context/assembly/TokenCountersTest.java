package dev.handoff.internal.context.assembly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A counter of tokens")
class TokenCountersTest {

  @ParameterizedTest
  @CsvSource({"cl100k_base, 6", "o200k_base, 6"})
  void countsAsTheModelsOfItsEncodingDo(String encoding, int tokens) {
    assertThat(TokenCounters.of(encoding).count("A claim is durable first.")).isEqualTo(tokens);
  }

  @Test
  void takesAnyText() {
    var counter = TokenCounters.of("cl100k_base");

    assertThat(counter.count("")).isZero();
    assertThat(counter.count("<|endoftext|>")).isEqualTo(7);
    assertThat(counter.count("\ud800 \0 😀")).isPositive();
    assertThat(counter.count("a".repeat(256 * 1024))).isEqualTo(32_768);
  }

  @Test
  void isRefusedForAnUnknownEncoding() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TokenCounters.of("utf-8"))
        .withMessageStartingWith("encoding \"utf-8\" does not exist; known: ")
        .withMessageContaining("cl100k_base");
  }

  @Test
  void thatRemembers_countsTheSameTextOnce() {
    var counted = new ArrayList<String>();
    var counter =
        TokenCounters.remembering(
            text -> {
              counted.add(text);
              return text.length();
            });

    assertThat(counter.count("abc")).isEqualTo(3);
    assertThat(counter.count("abc")).isEqualTo(3);
    assertThat(counter.count("abcd")).isEqualTo(4);
    assertThat(counted).containsExactly("abc", "abcd");
  }
}
