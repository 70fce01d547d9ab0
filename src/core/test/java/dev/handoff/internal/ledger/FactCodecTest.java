package dev.handoff.internal.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.handoff.internal.store.WriteResult;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a ledger stores and works with")
class FactCodecTest {

  private static final Duration LATER = Duration.ofMillis(5);

  @JsonTypeName("rung")
  record Rung(Instant at, Duration pause) implements StoredEvent {}

  @Test
  void hasTimesInWholeMilliseconds() throws IOException {
    var codec = new FactCodec(List.of(Rung.class));
    var fact =
        codec.encode(
            new CounterEntities.CounterId("e"),
            new Rung(Instant.ofEpochSecond(7, 1_999_999), Duration.ofNanos(5_999_999)));

    assertThat(fact.entity()).isEqualTo("e");
    assertThat(codec.decodeFact(fact.encoded()))
        .isEqualTo(new Rung(Instant.ofEpochSecond(7, 1_000_000), Duration.ofMillis(5)));
  }

  @Test
  void isRefusedIfItIsUnknownOrDamaged() {
    var fact = CounterEntities.added(CounterEntities.id(1), 1).encoded();

    assertThatIOException().isThrownBy(() -> new FactCodec(List.of(Rung.class)).decodeFact(fact));
    assertThatIOException().isThrownBy(() -> CounterEntities.codec().decodeFact(new byte[] {1}));
  }

  private static LedgerEnvironment with(Executor cpu) {
    return new LedgerEnvironment(
        null, CounterEntities.codec(), CounterEntities::fold, LedgerHarness.SETTINGS, cpu);
  }

  @Test
  void isComputedBesideTheActorUnlessTheEngineCloses() {
    assertThat(with(Runnable::run).compute(() -> 7)).isCompletedWithValue(7);

    var closing =
        with(
            work -> {
              throw new RejectedExecutionException("closing");
            });

    assertThat(closing.compute(() -> 7).toCompletableFuture()).isCompletedExceptionally();
  }

  @Test
  void isWrittenAgainIfAWriteFailsWithoutAnAnswer() {
    var environment = with(Runnable::run);
    var written = new WriteResult.Written(3);

    assertThat(environment.answered(CompletableFuture.completedStage(written)))
        .isCompletedWithValue(written);
    assertThat(environment.answered(CompletableFuture.failedStage(new IOException("no"))))
        .isCompletedWithValue(new WriteResult.Away("no", LATER));
    assertThat(
            environment.answered(
                CompletableFuture.<WriteResult>failedStage(
                    new CompletionException("outer", new IOException("inner")))))
        .isCompletedWithValue(new WriteResult.Away("inner", LATER));
  }

  @Test
  void cannotBeStoredIfItCannotBeWritten() {
    @JsonTypeName("odd")
    record Odd(Object self) implements StoredEvent {}
    var codec = new FactCodec(List.of(Odd.class));

    assertThatThrownBy(
            () -> codec.encode(new CounterEntities.CounterId("e"), new Odd(new Object())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("cannot be stored: ");
  }
}
