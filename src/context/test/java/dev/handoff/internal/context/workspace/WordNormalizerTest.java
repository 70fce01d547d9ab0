package dev.handoff.internal.context.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.handoff.testing.RandomSeeds;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The words of a text")
class WordNormalizerTest {

  private final WordNormalizer vocabulary = new WordNormalizer();

  static Stream<Arguments> names() {
    return Stream.of(
        arguments("WorkspaceView", List.of("workspac", "view")),
        arguments("parseHTTPHeader2", List.of("pars", "http", "header", "2")),
        arguments("JGit IOException", List.of("git", "io", "except")),
        arguments("MAX_OPEN_FILES", List.of("max", "open", "file")),
        arguments("dev.handoff.job.JobActor", List.of("dev", "handoff", "job", "actor")),
        arguments("docs/how-it-works.md", List.of("doc", "work", "md")),
        arguments("SHA-256, sha256", List.of("sha", "256")),
        arguments("the queue's jobs don't", List.of("queue", "job")),
        arguments("Straßen GRÜN", List.of("straßen", "grün")),
        arguments("e\u0301te\u0301", List.of("e\u0301te\u0301")),
        arguments("文書 です", List.of("文", "書", "です")),
        arguments("\uD835\uDC9C\uD835\uDC9C", List.of("\uD835\uDC9C\uD835\uDC9C")),
        arguments("ǅungla", List.of("ǆungla")),
        arguments("😀 ✂ \uD800 \uDC00 \0 * \"", List.of()),
        arguments("what is where", List.of()),
        arguments("", List.of()));
  }

  @ParameterizedTest(name = "of {0} are {1}")
  @MethodSource("names")
  void areThoseThatItsNamesAreMadeOf(String text, List<String> words) {
    assertThat(vocabulary.terms(text)).containsExactlyElementsOf(words);
  }

  static Stream<Arguments> forms() {
    return Stream.of(
        arguments("claim claims claimed claiming Claim's", 1),
        arguments("index indexes indexed indexing", 1),
        arguments("durable durability durably", 1),
        arguments("cancel cancels cancelled cancelling", 2),
        arguments("job lease worker", 3));
  }

  /// Light stemming: a doubled consonant gives a separate form.
  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("forms")
  void areTheSameInTheirForms(String text, int words) {
    assertThat(vocabulary.terms(text)).hasSizeLessThanOrEqualTo(words);
  }

  @Test
  void areCutWhereTheyAreTooLongToBeWords() {
    var cut = vocabulary.terms("x".repeat(100_000) + " " + "\uD835\uDC9C".repeat(50));

    assertThat(cut)
        .allSatisfy(term -> assertThat(term).hasSizeLessThanOrEqualTo(WordSplitter.LONGEST));
    assertThat(cut).hasSize(2);
  }

  @Test
  void areCounted() {
    assertThat(vocabulary.counted("job jobs Job claim")).containsEntry("job", 3).hasSize(2);
  }

  /// For any text: no failure, no empty term, and terms are stable under a second pass.
  @Test
  void areFoundInAnything() {
    RandomSeeds.each(
        300,
        random -> {
          var text =
              IntStream.range(0, random.nextInt(20_000))
                  .map(
                      at ->
                          random.nextInt(4) == 0
                              ? random.nextInt(0x10000)
                              : ' ' + random.nextInt(95))
                  .mapToObj(c -> String.valueOf((char) c))
                  .collect(Collectors.joining());
          Set<String> terms = vocabulary.terms(text);
          assertThat(terms).noneMatch(String::isBlank);
          assertThat(vocabulary.terms(text)).isEqualTo(terms);
        });
  }
}
