package dev.handoff.internal.ask;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.testing.BoundedWaits;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A pause of a thread")
class ThreadPauseTest {

  private static final Duration SHORT = Duration.ofMillis(20);

  private static Duration took(Runnable pause) {
    long begin = System.nanoTime();
    pause.run();
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  @Test
  void lastsAsLongAsItShould() {
    assertThat(took(() -> ThreadPause.awaitAll(SHORT))).isGreaterThanOrEqualTo(SHORT);
    assertThat(took(() -> ThreadPause.awaitAll(Duration.ZERO))).isLessThan(Duration.ofSeconds(10));
  }

  @Test
  void isCutShortByAnInterrupt() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> ThreadPause.await(Duration.ofHours(1)))
        .isInstanceOf(InterruptedException.class);
  }

  @Test
  void outlastsAnInterruptIfItHasTo() {
    Thread.currentThread().interrupt();

    var took = took(() -> ThreadPause.awaitAll(SHORT));

    assertThat(Thread.interrupted()).isTrue();
    assertThat(took).isGreaterThanOrEqualTo(SHORT);
  }

  @Test
  void delaysATask() {
    var begin = System.nanoTime();
    var thread = new CompletableFuture<Thread>();

    ThreadPause.beforeTask(SHORT, "later", () -> thread.complete(Thread.currentThread()));

    assertThat(BoundedWaits.get(thread).getName()).isEqualTo("later");
    assertThat(BoundedWaits.get(thread).isVirtual()).isTrue();
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(SHORT);
  }
}
