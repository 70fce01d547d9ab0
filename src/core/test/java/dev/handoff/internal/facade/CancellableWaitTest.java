package dev.handoff.internal.facade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.cancel.Cancellation;
import dev.handoff.cancel.CancellationSource;
import dev.handoff.cancel.CancelledException;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.OtherThread;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A wait of a handler for a stage or a cancel")
class CancellableWaitTest {

  private static final Cancellation WHY =
      new Cancellation(Cancellation.Cause.REQUESTED, "enough", "ann");

  private final CancellationSource source = new CancellationSource();
  private final CompletableFuture<Integer> stage = new CompletableFuture<>();

  @Test
  void endsWithTheValue() throws Exception {
    stage.complete(7);

    assertThat(CancellableWait.until(stage, source.token())).isEqualTo(7);
    assertThat(CancellableWait.untilOrFail(stage, source.token())).isEqualTo(7);
  }

  @Test
  void endsWithTheFailure_unwrapped() {
    stage.completeExceptionally(new CompletionException(new IllegalArgumentException("a")));

    assertThatThrownBy(() -> CancellableWait.until(stage, source.token()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> CancellableWait.untilOrFail(stage, source.token()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void throwsACheckedFailure_whereItIsAskedFor() {
    stage.completeExceptionally(new CompletionException(new IOException("b")));

    assertThatThrownBy(() -> CancellableWait.untilOrFail(stage, source.token()))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> CancellableWait.until(stage, source.token()))
        .isInstanceOf(IllegalStateException.class)
        .hasCauseInstanceOf(IOException.class);
  }

  @Test
  void throwsAnError() {
    stage.completeExceptionally(new StackOverflowError());

    assertThatThrownBy(() -> CancellableWait.until(stage, source.token()))
        .isInstanceOf(StackOverflowError.class);
    assertThatThrownBy(() -> CancellableWait.untilOrFail(stage, source.token()))
        .isInstanceOf(StackOverflowError.class);
  }

  @Test
  void endsWithACancel() {
    var plain = OtherThread.call(() -> CancellableWait.until(stage, source.token()));
    var checked = OtherThread.call(() -> CancellableWait.untilOrFail(stage, source.token()));

    source.cancel(WHY);

    assertThat(plain)
        .failsWithin(BoundedWaits.PATIENCE)
        .withThrowableThat()
        .withCauseInstanceOf(CancelledException.class);
    assertThat(checked)
        .failsWithin(BoundedWaits.PATIENCE)
        .withThrowableThat()
        .withCauseInstanceOf(CancelledException.class);
  }

  @Test
  void prefersTheCancel_forAHandlerThatWouldGoOn() {
    stage.complete(7);
    source.cancel(WHY);

    assertThatThrownBy(() -> CancellableWait.untilOrFail(stage, source.token()))
        .isInstanceOf(CancelledException.class);
  }
}
