package dev.handoff.internal.plan.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The body of a changeset")
class BodyCodecTest {

  private final ChainSamples chains = new ChainSamples();

  @Test
  void isReadAsItWasWritten() throws IOException {
    var body = body();
    var empty = new SetBody(List.of(), List.of());

    assertThat(BodyCodec.decode(BodyCodec.encode(body))).isEqualTo(body);
    assertThat(BodyCodec.decode(BodyCodec.encode(empty))).isEqualTo(empty);
    assertThat(empty.isEmpty()).isTrue();
    assertThat(body.isEmpty()).isFalse();
    assertThat(new SetBody(List.of(), body.decisions()).isEmpty()).isFalse();
  }

  @Test
  void sealsTheTimeAsItIsStored() throws IOException {
    var late = ChainSamples.AT.plusNanos(999_999);
    var entry = ChangeEntry.after(ChainHash.first("c1"), "a", null, chains.contents.put("1"), late);

    var read = BodyCodec.decode(BodyCodec.encode(new SetBody(List.of(entry), List.of())));

    assertThat(read.entries().getFirst().follows(ChainHash.first("c1"))).isTrue();
  }

  @Test
  void isRefusedIfItIsDamaged() {
    var bytes = BodyCodec.encode(body());
    var longer = Arrays.copyOf(bytes, bytes.length + 3);

    assertThatThrownBy(() -> BodyCodec.decode(new byte[] {1})).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> BodyCodec.decode(Arrays.copyOf(bytes, bytes.length / 2)))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> BodyCodec.decode(longer)).isInstanceOf(IOException.class);
  }

  @Test
  void givesTheEntriesBeforeItsDamage() {
    var bytes = BodyCodec.encode(body());

    assertThat(BodyCodec.readable(bytes)).isEqualTo(body().entries());
    assertThat(BodyCodec.readable(Arrays.copyOf(bytes, bytes.length / 2)))
        .isEqualTo(body().entries().subList(0, 1));
    assertThat(BodyCodec.readable(new byte[] {1})).isEmpty();
  }

  private SetBody body() {
    return new SetBody(
        chains.entries(
            "c1",
            List.of(
                ChainSamples.edit("a", null, "1"),
                ChainSamples.edit("a", "1", null),
                ChainSamples.edit("b", "", "2"))),
        List.of(new AttemptDecision("blue", ChainSamples.AT)));
  }
}
