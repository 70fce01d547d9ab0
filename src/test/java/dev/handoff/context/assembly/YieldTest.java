package dev.handoff.context.assembly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.handoff.context.Depth;
import dev.handoff.context.Fragment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a strategy gives")
class YieldTest {

  @Test
  void isInItsName() {
    var yield = Yield.of("mine", List.of(fragment("a", "text")));

    assertThat(yield.fragments()).extracting(Fragment::strategy).containsExactly("mine");
    assertThat(yield.remark()).isEmpty();
  }

  @Test
  void hasNoNullsInIt() {
    assertThatIllegalStateException()
        .isThrownBy(() -> Yield.of("mine", null))
        .withMessage("it returned null; an empty list means that nothing was found");
    assertThatIllegalStateException()
        .isThrownBy(() -> Yield.of("mine", new ArrayList<>(Collections.singletonList(null))))
        .withMessage("it returned a list with null in it");
  }

  @Test
  void isText() {
    var fragment = Yield.of("mine", List.of(fragment("a\0", "b\ud800c"))).fragments().getFirst();

    assertThat(fragment.resource()).isEqualTo("a\ufffd");
    assertThat(fragment.texts()).containsEntry(Depth.FULL, "b\ufffdc");
  }

  @Test
  void isBoundedInNumberAndSize() {
    var many = Collections.nCopies(Yield.MOST_FRAGMENTS + 5, fragment("a", "text"));
    var large = Collections.nCopies(5, fragment("a", "x".repeat((int) (Yield.MOST_LETTERS / 4))));

    assertThat(Yield.of("mine", many).fragments()).hasSize(Yield.MOST_FRAGMENTS);
    assertThat(Yield.of("mine", many).remark())
        .isEqualTo("5 of its fragments were left out: 1000, and 16 MiB of text, are the most");
    assertThat(Yield.of("mine", large).fragments()).hasSize(4);
    assertThat(Yield.of("mine", large).remark()).startsWith("1 of its fragments");
  }

  private static Fragment fragment(String resource, String text) {
    return Fragment.of(resource, "other", Depth.FULL, text, 0.5);
  }
}
