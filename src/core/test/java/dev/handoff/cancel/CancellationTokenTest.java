package dev.handoff.cancel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.handoff.cancel.Cancellation.Cause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A token")
class CancellationTokenTest {

  private static final Cancellation WHY =
      new Cancellation(Cause.REQUESTED, "not needed", "operator");
  private static final Duration LONG = Duration.ofSeconds(30);

  private final CancellationSource source = new CancellationSource();
  private final CancellationToken token = source.token();

  @Test
  void isNotCancelledAtFirst() throws InterruptedException {
    token.throwIfCancelled();

    assertThat(token.isCancelled()).isFalse();
    assertThat(token.cancellation()).isEmpty();
    assertThat(token.await(Duration.ZERO)).isFalse();
    assertThat(token.await(Duration.ofMillis(1))).isFalse();
  }

  @Test
  void isCancelledOnceAndForEver() throws InterruptedException {
    assertThat(source.cancel(WHY)).isTrue();
    assertThat(source.cancel(new Cancellation(Cause.TIMEOUT, "later", "handoff"))).isFalse();

    assertThat(token.isCancelled()).isTrue();
    assertThat(token.cancellation()).contains(WHY);
    assertThat(token.await(Duration.ZERO)).isTrue();
    assertThat(source.token()).isSameAs(token);
  }

  @Test
  void endsCodeThatAsks() {
    source.cancel(WHY);

    assertThatExceptionOfType(CancelledException.class)
        .isThrownBy(token::throwIfCancelled)
        .withMessage("not needed")
        .satisfies(cancelled -> assertThat(cancelled.cancellation()).isEqualTo(WHY));
  }

  @Test
  void needsAReason() {
    assertThatNullPointerException().isThrownBy(() -> source.cancel(null));
    assertThat(token.isCancelled()).isFalse();
  }

  @Test
  void wakesWhoWaits() throws Exception {
    var woken = new CompletableFuture<Boolean>();
    var waiting = new CountDownLatch(1);
    var waiter =
        Thread.ofVirtual()
            .start(
                () -> {
                  waiting.countDown();
                  woken.complete(wait(token, LONG) && token.isCancelled());
                });
    waiting.await();

    source.cancel(WHY);

    assertThat(woken.get(10, TimeUnit.SECONDS)).isTrue();
    waiter.join();
  }

  @Test
  void canBeWaitedForLongerThanThereIsTime() throws Exception {
    var woken =
        CompletableFuture.supplyAsync(
            () -> wait(token, Duration.ofSeconds(Long.MAX_VALUE)), Thread::startVirtualThread);

    source.cancel(WHY);

    assertThat(woken.get(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void letsAWaiterBeInterrupted() throws Exception {
    var interrupted = new CompletableFuture<Boolean>();
    var waiter =
        Thread.ofVirtual()
            .unstarted(
                () -> {
                  try {
                    token.await(LONG);
                    interrupted.complete(false);
                  } catch (InterruptedException expected) {
                    interrupted.complete(true);
                  }
                });
    waiter.start();

    waiter.interrupt();

    assertThat(interrupted.get(10, TimeUnit.SECONDS)).isTrue();
    assertThat(token.isCancelled()).isFalse();
  }

  @Test
  void callsBackOnceForEachThatAskedBeforeAndAfter() throws Exception {
    var calls = new ArrayBlockingQueue<Cancellation>(10);
    token.onCancel(calls::add);
    token.onCancel(calls::add);
    source.cancel(WHY);
    token.onCancel(calls::add);

    for (int i = 0; i < 3; i++) {
      assertThat(calls.poll(10, TimeUnit.SECONDS)).isEqualTo(WHY);
    }
    source.cancel(WHY);
    assertThat(calls).isEmpty();
  }

  @Test
  void callsBackAlthoughAnotherFails() throws Exception {
    var called = new CountDownLatch(2);
    for (var failure : List.of(new IllegalStateException("no"), new StackOverflowError())) {
      token.onCancel(
          why -> {
            called.countDown();
            sneak(failure);
          });
    }
    var last = new CompletableFuture<Boolean>();
    token.onCancel(why -> last.complete(token.isCancelled()));

    source.cancel(WHY);

    assertThat(last.get(10, TimeUnit.SECONDS)).isTrue();
    assertThat(called.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void neverRunsACallbackOnTheThreadThatCancels() throws Exception {
    var thread = new CompletableFuture<Thread>();
    token.onCancel(why -> thread.complete(Thread.currentThread()));

    source.cancel(WHY);

    assertThat(thread.get(10, TimeUnit.SECONDS))
        .isNotSameAs(Thread.currentThread())
        .extracting(Thread::getName, InstanceOfAssertFactories.STRING)
        .startsWith("handoff-callback-");
  }

  @Test
  void hasAStageThatNobodyElseCanComplete() throws Exception {
    var stage = token.asStage();
    stage.toCompletableFuture().complete(new Cancellation(Cause.TIMEOUT, "forged", "nobody"));

    assertThat(token.isCancelled()).isFalse();
    source.cancel(WHY);

    assertThat(stage.toCompletableFuture().get(10, TimeUnit.SECONDS)).isEqualTo(WHY);
  }

  @Test
  void isCancelledOnceHoweverManyThreadsTry() throws Exception {
    for (int round = 0; round < 50; round++) {
      var contested = new CancellationSource();
      var first = new AtomicInteger();
      var start = new CountDownLatch(1);
      var threads = new ArrayList<Thread>();
      for (int i = 0; i < 16; i++) {
        threads.add(
            Thread.ofVirtual()
                .start(
                    () -> {
                      awaitQuietly(start);
                      first.addAndGet(contested.cancel(WHY) ? 1 : 0);
                      assertThat(contested.token().isCancelled()).isTrue();
                    }));
      }

      start.countDown();
      for (var thread : threads) {
        thread.join();
      }

      assertThat(first).hasValue(1);
    }
  }

  /// Long-lived token with many short calls that it could cancel.
  @Test
  void keepsNothingOfWhatIsOverBeforeItIsCancelled() {
    var signal = new CompletableFuture<Cancellation>();
    var token = new CancellationToken(signal);
    var called = new CompletableFuture<Cancellation>();
    var goesOn = new CompletableFuture<Void>();
    var why = new Cancellation(Cause.REQUESTED, "not needed", "a test");
    for (int i = 0; i < 1_000; i++) {
      var over = new CompletableFuture<Void>();
      token.onCancelUntil(
          over, cancelled -> called.completeExceptionally(new AssertionError("over")));
      over.complete(null);
    }
    assertThat(signal.getNumberOfDependents()).isZero();

    token.onCancelUntil(goesOn, called::complete);
    signal.complete(why);

    assertThat(called.join()).isEqualTo(why);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  static boolean wait(CancellationToken token, Duration atMost) {
    try {
      return token.await(atMost);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void sneak(Throwable failure) throws T {
    throw (T) failure;
  }
}
