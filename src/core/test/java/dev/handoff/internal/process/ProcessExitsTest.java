package dev.handoff.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.testing.BoundedWaits;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

@DisplayName("The end of a program")
@DisabledOnOs(OS.WINDOWS)
class ProcessExitsTest {

  @Test
  void isToldAlsoWhereNoThreadOfThePoolOfAllIsFree() throws Exception {
    var go = new CountDownLatch(1);
    var holders =
        IntStream.range(0, ForkJoinPool.getCommonPoolParallelism())
            .mapToObj(number -> CompletableFuture.runAsync(() -> await(go)))
            .toList();
    try {
      var program = new ProcessBuilder("sh", "-c", "exit 7").start();

      assertThat(BoundedWaits.get(ProcessExits.of(program))).isEqualTo(7);
      assertThat(ProcessExits.await(List.of(program.toHandle()), Duration.ZERO)).isTrue();
    } finally {
      go.countDown();
    }
    holders.forEach(BoundedWaits::get);
  }

  private static void await(CountDownLatch go) {
    try {
      go.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void isWaitedForNoLongerThanSomebodyHasPatience() throws Exception {
    var program = new ProcessBuilder("sleep", "100").start();
    var handles = List.of(program.toHandle());
    try {
      assertThat(ProcessExits.await(handles, Duration.ofMillis(1))).isFalse();

      Thread.currentThread().interrupt();
      assertThat(ProcessExits.await(handles, BoundedWaits.PATIENCE)).isFalse();
      assertThat(Thread.interrupted()).isTrue();
    } finally {
      program.destroyForcibly();
    }
    assertThat(ProcessExits.await(handles, BoundedWaits.PATIENCE)).isTrue();
  }
}
