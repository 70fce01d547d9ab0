package dev.handoff.cancel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.cancel.Cancellation.Cause;
import dev.handoff.testing.RandomSeeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Users' operations on tokens, in every order and concurrently. A retry creates a new token for
/// the next attempt; earlier versions reset the token instead.
@Tag("issue_7166")
@DisplayName("In whatever order tokens are cancelled, replaced, asked and waited for,")
class CancellationOrdersTest {

  private static final Cancellation WHY =
      new Cancellation(Cause.REQUESTED, "not needed", "operator");

  private enum Operation {
    CANCEL,
    RETRY,
    WAIT,
    ASK,
    ON_CANCEL,
    THROW_IF_CANCELLED
  }

  /// Attempts of a job, with the expected state of their tokens.
  private static final class Attempts {
    private final List<CancellationSource> sources =
        new ArrayList<>(List.of(new CancellationSource()));
    private final List<Boolean> cancelled = new ArrayList<>(List.of(false));
    private final List<Callback> callbacks = new ArrayList<>();

    private record Callback(int attempt, CompletableFuture<Boolean> sawCancelled) {}

    void apply(Operation operation) {
      int last = sources.size() - 1;
      var token = sources.get(last).token();
      switch (operation) {
        case CANCEL -> {
          assertThat(sources.get(last).cancel(WHY)).isEqualTo(!cancelled.get(last));
          cancelled.set(last, true);
        }
        case RETRY -> {
          sources.add(new CancellationSource());
          cancelled.add(false);
        }
        case WAIT ->
            assertThat(CancellationTokenTest.wait(token, Duration.ZERO))
                .isEqualTo(cancelled.get(last));
        case ASK -> assertThat(token.isCancelled()).isEqualTo(cancelled.get(last));
        case ON_CANCEL -> {
          var saw = new CompletableFuture<Boolean>();
          token.onCancel(why -> saw.complete(token.isCancelled() && why.equals(WHY)));
          callbacks.add(new Callback(last, saw));
        }
        case THROW_IF_CANCELLED ->
            assertThat(throwsIfCancelled(token)).isEqualTo(cancelled.get(last));
      }
      check();
    }

    /// Each token keeps its cancel, and none has the cancel of another attempt.
    private void check() {
      for (int attempt = 0; attempt < sources.size(); attempt++) {
        var token = sources.get(attempt).token();
        assertThat(token.isCancelled()).isEqualTo(cancelled.get(attempt));
        assertThat(token.cancellation().isPresent()).isEqualTo(cancelled.get(attempt));
      }
    }

    /// Each callback of a cancelled token was called and saw the cancel; no other callback was
    /// called.
    void checkCallbacks() throws Exception {
      for (var callback : callbacks) {
        if (cancelled.get(callback.attempt())) {
          assertThat(callback.sawCancelled().get(10, TimeUnit.SECONDS)).isTrue();
        } else {
          assertThat(callback.sawCancelled()).isNotDone();
        }
      }
    }
  }

  @Test
  void noneForgetsASignalOrHasThatOfAnother() throws Exception {
    int sequences = 0;
    for (int length = 1; length <= 6; length++) {
      int count = (int) Math.pow(Operation.values().length, length);
      for (int number = 0; number < count; number++) {
        run(number, length);
        sequences++;
      }
    }

    assertThat(sequences).isEqualTo(6 + 36 + 216 + 1_296 + 7_776 + 46_656);
  }

  /// Runs a sequence of operations, encoded as a number in base six.
  private static void run(int number, int length) throws Exception {
    var attempts = new Attempts();
    var done = new ArrayList<Operation>();
    for (int i = 0, rest = number; i < length; i++, rest /= Operation.values().length) {
      var operation = Operation.values()[rest % Operation.values().length];
      done.add(operation);
      try {
        attempts.apply(operation);
      } catch (AssertionError wrong) {
        throw new AssertionError("after " + done + ": " + wrong.getMessage(), wrong);
      }
    }
    attempts.checkCallbacks();
  }

  @Test
  void everyThreadThatWasWokenSeesTheSignalForEver() {
    RandomSeeds.each(300, CancellationOrdersTest::race);
  }

  /// Threads wait, ask, cancel and replace the token, all released at once.
  private static void race(Random random) throws Exception {
    var old = new CancellationSource();
    var next = new CancellationSource();
    var wrong = new ConcurrentLinkedQueue<String>();
    var threads = new ArrayList<Thread>();
    int count = 4 + random.nextInt(8);
    var start = new CyclicBarrier(count + 1);
    for (int i = 0; i < count; i++) {
      int role = i == 0 ? 0 : random.nextInt(5);
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    pass(start);
                    play(role, old, wrong);
                  }));
    }

    pass(start);
    for (var thread : threads) {
      thread.join();
    }

    assertThat(wrong).isEmpty();
    assertThat(old.token().isCancelled()).isTrue();
    assertThat(next.token().isCancelled()).isFalse();
  }

  private static void play(
      int role, CancellationSource source, ConcurrentLinkedQueue<String> wrong) {
    var token = source.token();
    switch (role) {
      case 0, 1 -> {
        source.cancel(WHY);
        expect(token.isCancelled(), "who cancelled does not see it", wrong);
      }
      case 2 -> {
        expect(CancellationTokenTest.wait(token, Duration.ofSeconds(10)), "was not woken", wrong);
        expect(token.isCancelled(), "was woken and does not see it", wrong);
        expect(throwsIfCancelled(token), "was woken and may go on", wrong);
      }
      case 3 -> {
        var called = new CompletableFuture<Boolean>();
        token.onCancel(why -> called.complete(token.isCancelled()));
        expect(
            called.orTimeout(10, TimeUnit.SECONDS).join(), "was called and does not see it", wrong);
      }
      default -> {
        boolean seen = false;
        for (int i = 0; i < 1_000; i++) {
          boolean now = token.isCancelled();
          expect(now || !seen, "saw the signal go away", wrong);
          seen = now;
        }
      }
    }
  }

  /// Former defect: a waiter wakes, a reset follows, and the waiter sees no cancel. The test forces
  /// every interleaving of the canceller's and the waiter's steps.
  @Test
  void aWaiterSeesTheSignalAlsoWhenARetryComesBetweenItsWakingAndItsLooking() throws Exception {
    for (var order : orders(3, 3)) {
      var source = new CancellationSource();
      var token = source.token();
      var current = new CancellationSource[] {source};
      var waiting = new CompletableFuture<Boolean>();
      var canceller =
          List.<Runnable>of(
              () -> source.cancel(WHY),
              () -> current[0] = new CancellationSource(),
              () -> assertThat(current[0].token().isCancelled()).isFalse());
      boolean[] isCancelled = {false};
      var waiter =
          List.<Runnable>of(
              () ->
                  Thread.startVirtualThread(
                      () ->
                          waiting.complete(
                              CancellationTokenTest.wait(token, Duration.ofSeconds(10))
                                  && token.isCancelled())),
              () -> assertThat(token.isCancelled()).isEqualTo(isCancelled[0]),
              () -> assertThat(throwsIfCancelled(token)).isEqualTo(isCancelled[0]));

      int left = 0;
      int right = 0;
      for (boolean cancellersTurn : order) {
        if (cancellersTurn) {
          canceller.get(left++).run();
          isCancelled[0] = true;
        } else {
          waiter.get(right++).run();
        }
      }

      assertThat(waiting.get(10, TimeUnit.SECONDS)).as("%s", order).isTrue();
      assertThat(token.isCancelled()).isTrue();
    }
  }

  /// All interleavings of two sequences of steps.
  private static List<List<Boolean>> orders(int left, int right) {
    if (left == 0 && right == 0) {
      return List.of(List.of());
    }
    var all = new ArrayList<List<Boolean>>();
    if (left > 0) {
      orders(left - 1, right).forEach(rest -> all.add(plus(true, rest)));
    }
    if (right > 0) {
      orders(left, right - 1).forEach(rest -> all.add(plus(false, rest)));
    }
    return all;
  }

  private static List<Boolean> plus(boolean first, List<Boolean> rest) {
    var all = new ArrayList<Boolean>(List.of(first));
    all.addAll(rest);
    return all;
  }

  private static void expect(boolean holds, String otherwise, ConcurrentLinkedQueue<String> wrong) {
    if (!holds) {
      wrong.add(otherwise);
    }
  }

  private static boolean throwsIfCancelled(CancellationToken token) {
    try {
      token.throwIfCancelled();
      return false;
    } catch (CancelledException expected) {
      return true;
    }
  }

  private static void pass(CyclicBarrier barrier) {
    try {
      barrier.await(10, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
