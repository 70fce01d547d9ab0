package dev.handoff.context.assembly;

import static dev.handoff.context.assembly.Made.fragment;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.context.Depth;
import dev.handoff.context.Found;
import dev.handoff.context.Fragment;
import dev.handoff.context.Sifted;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The deduplicator")
class TextDeduplicatorTest {

  @Test
  void keepsTheMoreRelevantOfTwoThatSayTheSame_andRemembersBothFinders() {
    var sifted =
        deduplicate(fragment("a", "one", 0.3, Depth.FULL), fragment("a", "two", 0.8, Depth.FULL));

    assertThat(sifted.kept())
        .containsExactly(
            new Found(
                fragment("a", "two", 0.8, Depth.FULL),
                new java.util.TreeMap<>(Map.of("one", 0.3, "two", 0.8))));
    assertThat(sifted.leftOut())
        .containsExactly(new Sifted.LeftOut("a", "one", "the same as what two found"));
  }

  @Test
  void keepsTheFirstOfTwoThatAreEquallyRelevant() {
    var sifted =
        deduplicate(fragment("a", "one", 0.5, Depth.FULL), fragment("a", "two", 0.5, Depth.FULL));

    assertThat(sifted.kept().getFirst().fragment().strategy()).isEqualTo("one");
  }

  @Test
  void keepsWhatDiffersInTextOrResource() {
    var sifted =
        deduplicate(
            fragment("a", "one", 0.5, Depth.FULL),
            fragment("a", "two", 0.5, Depth.OUTLINE),
            fragment("b", "one", 0.5, Depth.FULL),
            Fragment.of("c", "one", Depth.FULL, Made.words("a", 100), 0.5));

    assertThat(sifted.kept()).hasSize(4);
    assertThat(sifted.leftOut()).isEmpty();
  }

  private static Sifted<Found> deduplicate(Fragment... fragments) {
    return new TextDeduplicator().deduplicate(Arrays.stream(fragments).map(Found::of).toList());
  }
}
