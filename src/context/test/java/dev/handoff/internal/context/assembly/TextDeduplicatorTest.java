package dev.handoff.internal.context.assembly;

import static dev.handoff.internal.context.assembly.PipelineSamples.fragment;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.context.Fragment;
import dev.handoff.context.PipelinePart;
import dev.handoff.context.SearchDepth;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The deduplicator")
class TextDeduplicatorTest {

  @Test
  void keepsTheMoreRelevantOfTwoThatSayTheSame_andRemembersBothFinders() {
    var sifted =
        deduplicate(
            fragment("a", "one", 0.3, SearchDepth.FULL),
            fragment("a", "two", 0.8, SearchDepth.FULL));

    assertThat(sifted.kept())
        .containsExactly(
            new Fragment.Found(
                fragment("a", "two", 0.8, SearchDepth.FULL),
                new java.util.TreeMap<>(Map.of("one", 0.3, "two", 0.8))));
    assertThat(sifted.leftOut())
        .containsExactly(new PipelinePart.Result.LeftOut("a", "one", "the same as what two found"));
  }

  @Test
  void keepsTheFirstOfTwoThatAreEquallyRelevant() {
    var sifted =
        deduplicate(
            fragment("a", "one", 0.5, SearchDepth.FULL),
            fragment("a", "two", 0.5, SearchDepth.FULL));

    assertThat(sifted.kept().getFirst().fragment().strategy()).isEqualTo("one");
  }

  @Test
  void keepsWhatDiffersInTextOrResource() {
    var sifted =
        deduplicate(
            fragment("a", "one", 0.5, SearchDepth.FULL),
            fragment("a", "two", 0.5, SearchDepth.OUTLINE),
            fragment("b", "one", 0.5, SearchDepth.FULL),
            Fragment.of("c", "one", SearchDepth.FULL, PipelineSamples.words("a", 100), 0.5));

    assertThat(sifted.kept()).hasSize(4);
    assertThat(sifted.leftOut()).isEmpty();
  }

  private static PipelinePart.Result<Fragment.Found> deduplicate(Fragment... fragments) {
    return new TextDeduplicator()
        .deduplicate(Arrays.stream(fragments).map(Fragment.Found::of).toList());
  }
}
