package dev.handoff.internal.context.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The passages of a text")
class TextPassagesTest {

  private static String lines(int count) {
    return IntStream.range(0, count)
        .mapToObj(n -> "line " + n + "\n")
        .collect(Collectors.joining());
  }

  @Test
  void areAllOfAShortOne() {
    assertThat(TextPassages.of("one\ntwo")).containsExactly("one\ntwo");
    assertThat(TextPassages.of(lines(40))).containsExactly(lines(40));
  }

  @Test
  void overlap() {
    var passages = TextPassages.of(lines(100));

    assertThat(passages).hasSize(3);
    assertThat(passages.get(0)).startsWith("line 0\n").endsWith("line 39\n");
    assertThat(passages.get(1)).startsWith("line 30\n").endsWith("line 69\n");
    assertThat(passages.get(2)).startsWith("line 60\n").endsWith("line 99\n");
  }

  @Test
  void areNotBlankAndNotTooLongAndNotTooMany() {
    assertThat(TextPassages.of("")).isEmpty();
    assertThat(TextPassages.of("\n".repeat(200_000))).isEmpty();
    assertThat(TextPassages.of("x".repeat(3 * TextPassages.LONGEST))).hasSize(3);
    assertThat(TextPassages.of("x\n".repeat(100_000))).hasSize(TextPassages.MOST);
    assertThat(TextPassages.of("x".repeat(TextPassages.LONGEST * (TextPassages.MOST + 1))))
        .hasSize(TextPassages.MOST);
  }
}
