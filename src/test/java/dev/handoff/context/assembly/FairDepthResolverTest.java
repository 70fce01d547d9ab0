package dev.handoff.context.assembly;

import static dev.handoff.context.assembly.Made.fragment;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.context.Depth;
import dev.handoff.context.DepthResolver.Candidate;
import dev.handoff.context.Found;
import dev.handoff.context.Fragment;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The resolver of depths")
class FairDepthResolverTest {

  private static final Depth[] ALL = {Depth.NAME, Depth.OUTLINE, Depth.MATCHED, Depth.FULL};

  @Test
  void goesAsDeepAsItsPartOfTheBudgetAllows_forTheMostRelevant() {
    assertThat(depth(334, 1)).isEqualTo(Depth.FULL);
    assertThat(depth(333, 1)).isEqualTo(Depth.MATCHED);
    assertThat(depth(166, 1)).isEqualTo(Depth.OUTLINE);
    assertThat(depth(60, 1)).isEqualTo(Depth.NAME);
    assertThat(depth(1, 1)).isEqualTo(Depth.NAME);
  }

  @Test
  void goesLessDeepForTheLessRelevant() {
    assertThat(depth(400, 0.5)).isEqualTo(Depth.MATCHED);
    assertThat(depth(400, 0.1)).isEqualTo(Depth.NAME);
  }

  @Test
  void makesOneCandidateOfAResource_withEveryDepthThatAnyHasFound() {
    var candidates =
        resolve(
            10_000,
            fragment("a", "one", 0.3, Depth.NAME, Depth.FULL),
            fragment("b", "one", 0.2, Depth.NAME),
            fragment("a", "two", 0.8, Depth.OUTLINE),
            fragment("a", "three", 0.1, Depth.MATCHED));

    assertThat(candidates).hasSize(2);
    var found = candidates.getFirst().found();
    assertThat(found.fragment().texts()).containsOnlyKeys(ALL);
    assertThat(found.fragment().strategy()).isEqualTo("two");
    assertThat(found.by()).containsOnlyKeys("one", "two", "three");
    assertThat(candidates.getFirst().depth()).isEqualTo(Depth.FULL);
  }

  @Test
  void prefersTheTextOfTheMoreRelevant() {
    var candidates =
        resolve(
            10_000,
            Fragment.of("a", "one", Depth.FULL, "of one", 0.3),
            Fragment.of("a", "two", Depth.FULL, "of two", 0.8));

    assertThat(candidates.getFirst().found().fragment().texts())
        .containsEntry(Depth.FULL, "of two");
  }

  private static Depth depth(int pool, double relevance) {
    return resolve(pool, fragment("a", "s", relevance, ALL)).getFirst().depth();
  }

  private static List<Candidate> resolve(int pool, Fragment... fragments) {
    return new FairDepthResolver()
        .resolve(Arrays.stream(fragments).map(Found::of).toList(), pool, Made.WORDS);
  }
}
