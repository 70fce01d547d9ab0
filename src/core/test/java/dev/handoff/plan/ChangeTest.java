package dev.handoff.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.internal.facade.attempt.ChangeRules;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A change")
class ChangeTest {

  private static final String SHA = "ab".repeat(32);

  @Test
  void hasTheContentsBeforeAndAfter() {
    var text = Content.text("a");

    assertThat(Change.create("a.txt", "a").before()).isNull();
    assertThat(Change.create("a.txt", "a").after()).isEqualTo(text).hasSameHashCodeAs(text);
    assertThat(Change.modify("a.txt", "a", "b").before()).isEqualTo(text);
    assertThat(Change.modify("a.txt", "a", "b").after()).hasToString("Bytes[1]").isNotEqualTo(text);
    assertThat(Change.delete("a.txt", "a").before()).isEqualTo(text);
    assertThat(Change.delete("a.txt", "a").after()).isNull();
  }

  @Test
  void keepsTheBytesAsTheyWereHandedOver() {
    var bytes = new byte[] {1, 2};
    var content = (Content.Bytes) Content.of(bytes);

    bytes[0] = 9;

    assertThat(content.bytes()).containsExactly(1, 2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\ud800", "a\udc00b", "\udc00\ud800"})
  void hasNoHalvesOfCharacters(String halved) {
    assertThatThrownBy(() -> Change.create("a", halved))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("half of a character");
    assertThatThrownBy(() -> Change.modify("a", "x", halved))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void holdsItsTextAsUtf8() {
    var text = "\u00e4\ud83d\ude00\n";
    var bytes = text.getBytes(StandardCharsets.UTF_8);

    assertThat(Content.text(text)).isEqualTo(Content.of(bytes));
    assertThat(Content.text("")).isEqualTo(Content.of(new byte[0]));
  }

  @Test
  void thatKeepsToTheRulesHasNoProblem() {
    var stored = new Change.Modify("a/b.txt", Content.stored(SHA), Content.text("b"));

    assertThat(ChangeRules.problem(List.of(Change.create("a", ""), stored))).isEmpty();
  }

  @Test
  void thatBreaksARuleIsRefusedWithTheReason() {
    var huge = new Change.Create("a", Content.of(new byte[Content.MOST_BYTES + 1]));
    var misnamed = new Change.Delete("a", Content.stored("AB"));

    assertThat(ChangeRules.problem(List.of())).contains("there is no change to record");
    assertThat(problem(Change.create("../a", ""))).contains("../a");
    assertThat(problem(huge))
        .isEqualTo("\"a\" has 10485761 bytes: a file in a change has at most 10485760");
    assertThat(problem(misnamed)).contains("\"AB\", which is no SHA-256");
    assertThat(problem(Change.modify("a", "x", "x")))
        .isEqualTo("\"a\" holds the same before and after");
  }

  @Test
  void isRecordedOrTheRefusalSaysWhatToDo() {
    var recorded = new ChangeAnswer.Recorded("c1", 2);

    assertThat(recorded.orThrow()).isEqualTo(recorded);
    refused(new ChangeAnswer.NoActiveChangeset(), "No active changeset: start one first");
    refused(
        new ChangeAnswer.ChangesetClosed("c1", true), "changeset c1 is closed: start another one");
    refused(
        new ChangeAnswer.ChangesetClosed("c1", false),
        "changeset c1 is dropped: start another one");
    refused(
        new ChangeAnswer.UnknownChangeset("c9"),
        "the plan has no changeset \"c9\": start one first");
    refused(
        new ChangeAnswer.UnknownBase(SHA), "no content " + SHA + " is stored: hand over its bytes");
    refused(new ChangeAnswer.Invalid("why"), "why");
    refused(new ChangeAnswer.Full("why"), "why");
    refused(new ChangeAnswer.Unavailable("why", Duration.ofMillis(7)), "why; try again in 7ms");
    refused(new ChangeAnswer.Refused("why"), "why");
  }

  private static void refused(ChangeAnswer answer, String message) {
    assertThatThrownBy(answer::orThrow)
        .isInstanceOf(ChangeRefusedException.class)
        .hasMessage(message)
        .extracting(thrown -> ((ChangeRefusedException) thrown).answer())
        .isSameAs(answer);
  }

  private static String problem(Change change) {
    return ChangeRules.problem(List.of(change)).orElseThrow();
  }
}
