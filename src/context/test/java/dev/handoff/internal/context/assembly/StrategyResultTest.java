package dev.handoff.internal.context.assembly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.handoff.context.Fragment;
import dev.handoff.context.SearchDepth;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a strategy gives")
class StrategyResultTest {

  @Test
  void isInItsName() {
    var yield = StrategyResult.of("mine", List.of(fragment("a", "text")));

    assertThat(yield.fragments()).extracting(Fragment::strategy).containsExactly("mine");
    assertThat(yield.remark()).isEmpty();
  }

  @Test
  void hasNoNullsInIt() {
    assertThatIllegalStateException()
        .isThrownBy(() -> StrategyResult.of("mine", null))
        .withMessage("it returned null; an empty list means that nothing was found");
    assertThatIllegalStateException()
        .isThrownBy(
            () -> StrategyResult.of("mine", new ArrayList<>(Collections.singletonList(null))))
        .withMessage("it returned a list with null in it");
  }

  @Test
  void isText() {
    var fragment =
        StrategyResult.of("mine", List.of(fragment("a\0", "b\ud800c"))).fragments().getFirst();

    assertThat(fragment.resource()).isEqualTo("a\ufffd");
    assertThat(fragment.texts()).containsEntry(SearchDepth.FULL, "b\ufffdc");
  }

  @Test
  void isBoundedInNumberAndSize() {
    var many = Collections.nCopies(StrategyResult.MOST_FRAGMENTS + 5, fragment("a", "text"));
    var large =
        Collections.nCopies(5, fragment("a", "x".repeat((int) (StrategyResult.MOST_LETTERS / 4))));

    assertThat(StrategyResult.of("mine", many).fragments()).hasSize(StrategyResult.MOST_FRAGMENTS);
    assertThat(StrategyResult.of("mine", many).remark())
        .isEqualTo("5 of its fragments were left out: 1000, and 16 MiB of text, are the most");
    assertThat(StrategyResult.of("mine", large).fragments()).hasSize(4);
    assertThat(StrategyResult.of("mine", large).remark()).startsWith("1 of its fragments");
  }

  private static Fragment fragment(String resource, String text) {
    return Fragment.of(resource, "other", SearchDepth.FULL, text, 0.5);
  }
}
