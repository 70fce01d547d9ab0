package dev.handoff.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Slots")
class FairSemaphoreTest {

  @Test
  void areTakenByWhoComesFirst() {
    var slots = new FairSemaphore(1);

    var first = slots.take();
    var second = slots.take();
    var third = slots.take();

    assertThat(first).isCompleted();
    assertThat(second).isNotDone();
    slots.give();
    assertThat(second).isCompleted();
    assertThat(third).isNotDone();
  }

  @Test
  void passOverWhoHasLeftTheLine() {
    var slots = new FairSemaphore(1);
    var first = slots.take();
    var second = slots.take();
    var third = slots.take();

    slots.leave(second);
    slots.leave(first);

    assertThat(third).isCompleted();
    slots.leave(third);
    assertThat(slots.take()).isCompleted();
  }

  @Test
  void areNeverMoreThanThereAreWhoeverComesAndGoes() throws Exception {
    int threads = 32;
    var slots = new FairSemaphore(3);
    var inside = new AtomicInteger();
    var most = new AtomicInteger();
    var ended = new CountDownLatch(threads);
    for (int t = 0; t < threads; t++) {
      int number = t;
      Thread.ofVirtual()
          .start(
              () -> {
                for (int i = 0; i < 500; i++) {
                  var turn = slots.take();
                  if ((number + i) % 7 == 0) {
                    slots.leave(turn);
                    continue;
                  }
                  turn.join();
                  most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                  Thread.yield();
                  inside.decrementAndGet();
                  slots.leave(turn);
                }
                ended.countDown();
              });
    }

    assertThat(ended.await(30, TimeUnit.SECONDS)).as("nobody waits for ever").isTrue();
    assertThat(most.get()).isBetween(2, 3);
  }
}
