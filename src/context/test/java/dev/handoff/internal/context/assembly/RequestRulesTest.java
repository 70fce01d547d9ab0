package dev.handoff.internal.context.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.context.Budget;
import dev.handoff.context.ContextRequest;
import dev.handoff.context.PipelineParts;
import dev.handoff.internal.text.Durations;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A request for context")
class RequestRulesTest {

  private static final RequestRules RULES =
      new RequestRules(new TreeSet<>(List.of("arce", "simple-keyword")), new TreeSet<>());

  @Test
  void thatIsInOrder_hasNoProblem() {
    assertThat(
            RULES.problem(
                PipelineSamples.REQUEST
                    .budget(1)
                    .strategies("arce")
                    .prefer("simple-keyword")
                    .timeout(Duration.ofHours(1))))
        .isEmpty();
  }

  @Test
  void mayNameAStrategyTwice() {
    assertThat(PipelineSamples.REQUEST.strategies("arce", "arce").only()).containsExactly("arce");
    assertThat(PipelineSamples.REQUEST.prefer("arce", "arce").preferred()).containsExactly("arce");
    assertThat(
            PipelineSamples.REQUEST
                .require(ContextRequest.Backend.GIT, ContextRequest.Backend.GIT)
                .required())
        .containsExactly(ContextRequest.Backend.GIT);
  }

  @Test
  void isMadeOfOthers_andChangesNone() {
    var request =
        PipelineSamples.REQUEST
            .query("other words")
            .budget(5)
            .strategies("arce")
            .prefer("simple-keyword")
            .require(ContextRequest.Backend.GIT)
            .timeout(Duration.ofSeconds(3))
            .project("site")
            .parts(PipelineParts.NONE);

    assertThat(request.root()).isEqualTo(PipelineSamples.REQUEST.root());
    assertThat(request.query()).isEqualTo("other words");
    assertThat(request.budget()).isEqualTo(Budget.of(5));
    assertThat(request.only()).containsExactly("arce");
    assertThat(request.preferred()).containsExactly("simple-keyword");
    assertThat(request.required()).containsExactly(ContextRequest.Backend.GIT);
    assertThat(request.timeout()).isEqualTo(Duration.ofSeconds(3));
    assertThat(request.project()).isEqualTo("site");
    assertThat(request.parts()).isEqualTo(PipelineParts.NONE);
    assertThat(PipelineSamples.REQUEST.only()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\n\t"})
  void withoutAQuery_isRefused(String query) {
    assertThat(problem(PipelineSamples.REQUEST.query(query)))
        .isEqualTo("query must not be empty: say what is to be done or known");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\0b", "\ud800", "a\udc00b"})
  void whoseQueryIsNoText_isRefused(String query) {
    assertThat(problem(PipelineSamples.REQUEST.query(query)))
        .isEqualTo("query must be text, without NUL and halves of characters");
  }

  @Test
  void whoseQueryIsTooLong_isRefused() {
    assertThat(RULES.problem(PipelineSamples.REQUEST.query("x".repeat(16_384)))).isEmpty();
    assertThat(problem(PipelineSamples.REQUEST.query("x".repeat(16_385))))
        .isEqualTo("query must have at most 16384 characters, has 16385");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
  void withoutABudget_isRefused(int budget) {
    assertThat(problem(PipelineSamples.REQUEST.budget(budget)))
        .isEqualTo("budget must leave at least 1 token for the context: was " + budget);
  }

  @Test
  void whoseBudgetMakesNoSense_isRefused() {
    assertThat(problem(PipelineSamples.REQUEST.budget(10_000_001)))
        .isEqualTo("budget must be at most 10000000 tokens, was 10000001");
    assertThat(problem(PipelineSamples.REQUEST.budget(Budget.of(100, 60, 30, 10))))
        .isEqualTo(
            "budget must leave at least 1 token for the context: 100 - 60 - 30 - 10 leaves none");
    assertThat(problem(PipelineSamples.REQUEST.budget(Budget.of(100, -1, 0, 0))))
        .contains("negative");
    assertThat(problem(PipelineSamples.REQUEST.budget(Budget.of(100, 0, -1, 0))))
        .contains("negative");
    assertThat(problem(PipelineSamples.REQUEST.budget(Budget.of(100, 0, 0, -1))))
        .contains("negative");
    assertThat(problem(PipelineSamples.REQUEST.budget(new Budget(100, 0, 0, 0, 1))))
        .contains("ratio");
    assertThat(problem(PipelineSamples.REQUEST.budget(new Budget(100, 0, 0, 0, Double.NaN))))
        .contains("ratio");
  }

  @Test
  void whoseTimeoutMakesNoSense_isRefused() {
    for (var timeout :
        List.of(
            Duration.ZERO,
            Duration.ofNanos(1),
            Duration.ofSeconds(-1),
            Duration.ofSeconds(Long.MIN_VALUE),
            Duration.ofHours(2),
            ChronoUnit.FOREVER.getDuration())) {
      assertThat(problem(PipelineSamples.REQUEST.timeout(timeout)))
          .isEqualTo("timeout must be 1ms to 1h, was " + Durations.exact(timeout));
    }
  }

  @Test
  void thatNamesAnUnknownStrategyOrProject_isRefused_andToldWhatThereIs() {
    assertThat(problem(PipelineSamples.REQUEST.strategies("arce", "simple\u202e")))
        .isEqualTo("strategy \"simple\\u202e\" does not exist; known: arce, simple-keyword");
    assertThat(problem(PipelineSamples.REQUEST.prefer("semantic")))
        .isEqualTo("strategy \"semantic\" does not exist; known: arce, simple-keyword");
    assertThat(problem(PipelineSamples.REQUEST.project("site")))
        .isEqualTo("project \"site\" does not exist; known: none");
  }

  private static String problem(ContextRequest request) {
    return RULES.problem(request).orElseThrow();
  }
}
