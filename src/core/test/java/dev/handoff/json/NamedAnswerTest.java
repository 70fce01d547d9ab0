package dev.handoff.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An answer with a name")
class NamedAnswerTest {

  @JsonSubTypes({
    @JsonSubTypes.Type(value = Answer.Yes.class, name = "yes"),
    @JsonSubTypes.Type(value = Answer.NotYet.class, name = "not-yet")
  })
  sealed interface Answer extends NamedAnswer {
    record Yes() implements Answer {}

    record NotYet() implements Answer {}

    record Forgotten() implements Answer {}
  }

  @Test
  void goesByTheNameThatItsTypeLists() {
    assertThat(new Answer.Yes().outcome()).isEqualTo("yes");
    assertThat(new Answer.NotYet().outcome()).isEqualTo("not-yet");
  }

  @Test
  void isRefusedIfItsTypeListsNone() {
    assertThatIllegalStateException()
        .isThrownBy(() -> new Answer.Forgotten().outcome())
        .withMessageContaining("Forgotten has no name");
  }
}
