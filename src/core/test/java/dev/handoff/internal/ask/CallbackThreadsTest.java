package dev.handoff.internal.ask;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.testing.BoundedWaits;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Threads for callbacks")
class CallbackThreadsTest {

  private final CallbackThreads threads = new CallbackThreads("tested-");
  private final CountDownLatch release = new CountDownLatch(1);

  @AfterEach
  void release() {
    release.countDown();
  }

  private void block(int count) {
    for (int i = 0; i < count; i++) {
      threads.execute(this::await);
    }
  }

  private void await() {
    try {
      release.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private CompletableFuture<String> run() {
    return CompletableFuture.supplyAsync(() -> Thread.currentThread().getName(), threads);
  }

  @Test
  void areGoneSoonAfterTheLastOne() throws InterruptedException {
    var thread = new CompletableFuture<Thread>();
    new CallbackThreads("idle-").execute(() -> thread.complete(Thread.currentThread()));

    assertThat(BoundedWaits.get(thread).join(Duration.ofSeconds(8))).isTrue();
  }

  @Test
  void runWhatComesWhileAllButOneMayBeBlocked() {
    block(CallbackThreads.MOST - 1);

    assertThat(BoundedWaits.get(run())).startsWith("tested-");
  }

  @Test
  void letNoMoreThanSoManyBlock() {
    block(2 * CallbackThreads.MOST);
    var waiting = run();

    release.countDown();

    assertThat(BoundedWaits.get(waiting)).startsWith("tested-");
  }

  @Test
  void goOnAfterACallbackThatThrows() {
    threads.execute(
        () -> {
          throw new IllegalStateException("thrown");
        });

    assertThat(BoundedWaits.get(run())).startsWith("tested-");
  }

  @Test
  void runATaskOnceForWhoseThreadThereIsNoMemoryAtFirst() {
    var tries = new AtomicInteger();
    var runs = new AtomicInteger();
    var poor = new CallbackThreads(pool -> poorAtFirst(tries, pool));

    poor.execute(runs::incrementAndGet);

    BoundedWaits.until("it is run", () -> runs.get() == 1);
    for (int i = 0; i < 20; i++) {
      BoundedWaits.get(CompletableFuture.runAsync(() -> {}, poor));
    }
    assertThat(runs).hasValue(1);
  }

  private static ForkJoinWorkerThread poorAtFirst(AtomicInteger tries, ForkJoinPool pool) {
    if (tries.getAndIncrement() < 3) {
      throw new OutOfMemoryError("at first");
    }
    return ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
  }

  @Test
  void passNoInterruptOnToTheNextTask() {
    CompletableFuture.runAsync(() -> Thread.currentThread().interrupt(), threads).join();

    for (int i = 0; i < 20; i++) {
      var interrupted =
          CompletableFuture.supplyAsync(() -> Thread.currentThread().isInterrupted(), threads);
      assertThat(BoundedWaits.get(interrupted)).isFalse();
    }
  }
}
