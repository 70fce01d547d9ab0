package dev.handoff.internal.context.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.context.ContextFragment;
import dev.handoff.context.SearchDepth;
import dev.handoff.internal.text.SafeText;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The skeleton of a context")
class NameSkeletonTest {

  private static final List<ContextFragment> PARENT =
      List.of(
          new ContextFragment(
              "a", "s", SearchDepth.FULL, 50, 0.9, "\n  one two three four\nfive six"),
          new ContextFragment("b", "s", SearchDepth.FULL, 50, 0.8, "seven eight nine ten eleven"),
          new ContextFragment("c", "s", SearchDepth.FULL, 50, 0.7, "  \n"),
          new ContextFragment("d", "s", SearchDepth.FULL, 50, 0.6, "x".repeat(1_000)));

  @Test
  void isTheFirstLineOfEach() {
    var skeleton = compress(1_000);

    assertThat(skeleton).extracting(ContextFragment::depth).containsOnly(SearchDepth.SUMMARY);
    assertThat(skeleton)
        .extracting(ContextFragment::text)
        .containsExactly(
            "one two three four", "seven eight nine ten eleven", "c", "x".repeat(193) + "… (cut)");
  }

  @Test
  void neverEndsInHalfACharacter() {
    var sparkles =
        new ContextFragment("a", "s", SearchDepth.FULL, 50, 0.9, "x" + "✨🪄".repeat(200));

    var skeleton = new NameSkeleton().compress(List.of(sparkles), 1_000, PipelineSamples.WORDS);

    assertThat(skeleton.getFirst().text()).matches(SafeText::isClean).hasSizeLessThanOrEqualTo(200);
  }

  @Test
  void isNamesWhereThereIsNoRoomForMore_andNeverMoreThanItMayBe() {
    var skeleton = compress(13);

    assertThat(skeleton)
        .extracting(ContextFragment::depth)
        .containsExactly(SearchDepth.SUMMARY, SearchDepth.NAME, SearchDepth.SUMMARY);
    assertThat(skeleton.stream().mapToInt(ContextFragment::tokens).sum()).isEqualTo(13);
    assertThat(compress(2)).isEmpty();
  }

  private static List<ContextFragment> compress(int most) {
    return new NameSkeleton().compress(PARENT, most, PipelineSamples.WORDS);
  }
}
