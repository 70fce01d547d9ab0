package dev.handoff.internal.context.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The notes of an index")
class SkipNotesTest {

  private final SkipNotes notes = new SkipNotes();

  @Test
  void areOneForEachReasonWithAFewNames() {
    for (int number = 99; number >= 0; number--) {
      notes.add(SkipReason.BINARY, "f%02d".formatted(number));
    }
    notes.add(SkipReason.LINK, "x");

    assertThat(notes.lines())
        .containsExactly(
            "100 × no text: f00, f01, f02, f03, f04 and 95 more",
            "1 × a link that leads out of the directory, or nowhere: x");
  }

  @Test
  void areShortAndWithoutControlCharactersWhateverANameIs() {
    notes.add(SkipReason.BINARY, "\u001b[31m" + "x".repeat(5_000));

    assertThat(notes.lines().getFirst()).hasSizeLessThan(300).doesNotContain("\u001b");
  }

  @Test
  void showNothingThatChangesHowTheRestIsShown() {
    notes.add(SkipReason.LARGE, "a\u202Etxt.exe\u2028b\u0085c\uD800");

    assertThat(notes.lines().getFirst()).endsWith(": a?txt.exe?b?c?");
  }
}
