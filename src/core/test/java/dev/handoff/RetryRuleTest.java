package dev.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A rule of retries")
class RetryRuleTest {

  private static final Exception MISSING = new FileNotFoundException("a.png");
  private static final Exception STATE = new IllegalStateException("no");

  @Test
  void allowsOnlyWhatItNames() {
    var rule = RetryRule.only(IOException.class, InterruptedException.class);

    assertThat(rule)
        .isEqualTo(
            new RetryRule(
                List.of("java.io.IOException", "java.lang.InterruptedException"), List.of()));
    assertThat(rule.allows(MISSING)).isTrue();
    assertThat(rule.allows(STATE)).isFalse();
  }

  @Test
  void allowsAllButWhatItNames() {
    var rule = RetryRule.never(IOException.class);

    assertThat(rule).isEqualTo(new RetryRule(null, List.of("java.io.IOException")));
    assertThat(rule.allows(MISSING)).isFalse();
    assertThat(rule.allows(STATE)).isTrue();
  }

  @Test
  void allowsNothingThatItAlsoForbids() {
    var rule = RetryRule.only(Exception.class).butNever(FileNotFoundException.class);

    assertThat(rule.allows(new IOException("no"))).isTrue();
    assertThat(rule.allows(MISSING)).isFalse();
    assertThat(rule.butNever(IOException.class).never())
        .containsExactly("java.io.FileNotFoundException", "java.io.IOException");
  }

  @Test
  void looksAtCauses() {
    var wrapped = new IllegalStateException(new UncheckedIOException(new IOException("no")));

    assertThat(RetryRule.only(IOException.class).allows(wrapped)).isTrue();
    assertThat(RetryRule.never(IOException.class).allows(wrapped)).isFalse();
  }

  @Test
  void looksAtFiftyCausesAndNoMore() {
    assertThat(RetryRule.only(IOException.class).allows(wrapped(49))).isTrue();
    assertThat(RetryRule.only(IOException.class).allows(wrapped(50))).isFalse();
  }

  private static Throwable wrapped(int times) {
    Throwable failure = new IOException("no");
    for (int i = 0; i < times; i++) {
      failure = new IllegalStateException(failure);
    }
    return failure;
  }
}
