package dev.handoff.internal.ask;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The failure of a stage")
class StageFailuresTest {

  private final IOException cause = new IOException("no disk");

  @Test
  void isItsCause_atADependentStage() {
    var seen = new AtomicReference<Throwable>();
    CompletableFuture.failedFuture(cause)
        .thenApply(value -> value)
        .whenComplete((value, failure) -> seen.set(failure));

    assertThat(seen.get()).isInstanceOf(CompletionException.class);
    assertThat(StageFailures.cause(seen.get())).isSameAs(cause);
    assertThat(StageFailures.cause(new CompletionException(seen.get()))).isSameAs(cause);
  }

  @Test
  void isItself_ifNothingIsAroundIt() {
    var empty = new CompletionException("no cause", null);

    assertThat(StageFailures.cause(cause)).isSameAs(cause);
    assertThat(StageFailures.cause(empty)).isSameAs(empty);
  }
}
