package dev.handoff.internal.context.assembly;

import static dev.handoff.internal.context.assembly.PipelineSamples.fragment;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.context.Fragment;
import dev.handoff.context.PipelinePart.DepthResolver.Candidate;
import dev.handoff.context.SearchDepth;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The resolver of depths")
class FairDepthResolverTest {

  private static final SearchDepth[] ALL = {
    SearchDepth.NAME, SearchDepth.OUTLINE, SearchDepth.MATCHED, SearchDepth.FULL
  };

  @Test
  void goesAsDeepAsItsPartOfTheBudgetAllows_forTheMostRelevant() {
    assertThat(depth(334, 1)).isEqualTo(SearchDepth.FULL);
    assertThat(depth(333, 1)).isEqualTo(SearchDepth.MATCHED);
    assertThat(depth(166, 1)).isEqualTo(SearchDepth.OUTLINE);
    assertThat(depth(60, 1)).isEqualTo(SearchDepth.NAME);
    assertThat(depth(1, 1)).isEqualTo(SearchDepth.NAME);
  }

  @Test
  void goesLessDeepForTheLessRelevant() {
    assertThat(depth(400, 0.5)).isEqualTo(SearchDepth.MATCHED);
    assertThat(depth(400, 0.1)).isEqualTo(SearchDepth.NAME);
  }

  @Test
  void makesOneCandidateOfAResource_withEveryDepthThatAnyHasFound() {
    var candidates =
        resolve(
            10_000,
            fragment("a", "one", 0.3, SearchDepth.NAME, SearchDepth.FULL),
            fragment("b", "one", 0.2, SearchDepth.NAME),
            fragment("a", "two", 0.8, SearchDepth.OUTLINE),
            fragment("a", "three", 0.1, SearchDepth.MATCHED));

    assertThat(candidates).hasSize(2);
    var found = candidates.getFirst().found();
    assertThat(found.fragment().texts()).containsOnlyKeys(ALL);
    assertThat(found.fragment().strategy()).isEqualTo("two");
    assertThat(found.by()).containsOnlyKeys("one", "two", "three");
    assertThat(candidates.getFirst().depth()).isEqualTo(SearchDepth.FULL);
  }

  @Test
  void prefersTheTextOfTheMoreRelevant() {
    var candidates =
        resolve(
            10_000,
            Fragment.of("a", "one", SearchDepth.FULL, "of one", 0.3),
            Fragment.of("a", "two", SearchDepth.FULL, "of two", 0.8));

    assertThat(candidates.getFirst().found().fragment().texts())
        .containsEntry(SearchDepth.FULL, "of two");
  }

  private static SearchDepth depth(int pool, double relevance) {
    return resolve(pool, fragment("a", "s", relevance, ALL)).getFirst().depth();
  }

  private static List<Candidate> resolve(int pool, Fragment... fragments) {
    return new FairDepthResolver()
        .resolve(
            Arrays.stream(fragments).map(Fragment.Found::of).toList(), pool, PipelineSamples.WORDS);
  }
}
