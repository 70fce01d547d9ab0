package dev.handoff.features;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.handoff.cancel.Cancellation;
import dev.handoff.cancel.CancellationSource;
import dev.handoff.cancel.CancelledException;
import io.cucumber.java.en.Given;
import io.cucumber.java.en.Then;
import io.cucumber.java.en.When;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;

/// Steps about cancellation tokens in `issue_7166.feature`.
public final class CancellationSteps {

  private static final int PATIENCE_SECONDS = 10;

  private final Map<Integer, CancellationSource> attempts = new ConcurrentHashMap<>();
  private final CountDownLatch woken = new CountDownLatch(1);
  private final CountDownLatch mayLook = new CountDownLatch(1);
  private final CompletableFuture<String> seen = new CompletableFuture<>();
  private final CompletableFuture<Void> loop = new CompletableFuture<>();
  private final List<ConcurrentLinkedQueue<Boolean>> callbacks = new ArrayList<>();
  private final ConcurrentLinkedQueue<String> first = new ConcurrentLinkedQueue<>();

  @Given("attempt {int} of a job has a token")
  public void attempt(int number) {
    attempts.put(number, new CancellationSource());
  }

  @Given("a thread waits for the token of attempt {int}, and stops between waking and looking")
  public void waiter(int number) {
    var token = attempts.get(number).token();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                token.await(Duration.ofSeconds(PATIENCE_SECONDS));
                woken.countDown();
                mayLook.await();
                seen.complete(token.isCancelled() ? "cancelled" : "nothing");
              } catch (InterruptedException e) {
                seen.completeExceptionally(e);
              }
            });
  }

  @Given("a loop looks at the token of attempt {int} until it is cancelled")
  public void loop(int number) {
    var token = attempts.get(number).token();
    Thread.ofVirtual()
        .start(
            () -> {
              while (!token.isCancelled()) {
                Thread.onSpinWait();
                Thread.yield();
              }
              loop.complete(null);
            });
  }

  @When("attempt {int} is cancelled")
  public void cancel(int number) {
    attempts.get(number).cancel(why("operator"));
  }

  @When("the job is retried as attempt {int}")
  public void retry(int number) {
    attempts.put(number, new CancellationSource());
  }

  @When("the waiting thread has been woken")
  public void waitUntilWoken() throws InterruptedException {
    assertThat(woken.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
  }

  @When("the waiting thread goes on to look")
  public void look() {
    mayLook.countDown();
  }

  @When("attempt {int} is cancelled and the job is retried as attempt {int} in the same moment")
  public void cancelAndRetry(int cancelled, int next) {
    var barrier = new CyclicBarrier(2);
    var other =
        Thread.ofVirtual()
            .start(
                () -> {
                  pass(barrier);
                  retry(next);
                });
    pass(barrier);
    cancel(cancelled);
    join(other);
  }

  @When("these happen in this order: {}")
  public void inOrder(String order) {
    int next = 2;
    for (var what : order.split(", ")) {
      switch (what) {
        case "callback" -> callback(1);
        case "cancel" -> cancel(1);
        case "retry" -> retry(next++);
        default -> throw new IllegalArgumentException(what);
      }
    }
  }

  private void callback(int number) {
    var calls = new ConcurrentLinkedQueue<Boolean>();
    var token = attempts.get(number).token();
    token.onCancel(why -> calls.add(token.isCancelled()));
    callbacks.add(calls);
  }

  @When("{int} threads cancel attempt {int} at the same time")
  public void cancelFromMany(int count, int number) {
    var barrier = new CyclicBarrier(count);
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < count; i++) {
      var name = "thread " + i;
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    pass(barrier);
                    if (attempts.get(number).cancel(why(name))) {
                      first.add(name);
                    }
                  }));
    }
    threads.forEach(CancellationSteps::join);
  }

  @Then("the waiting thread has seen {string}")
  public void hasSeen(String what) throws Exception {
    assertThat(seen.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(what);
  }

  @Then("the token of attempt {int} is cancelled")
  public void isCancelled(int number) {
    assertThat(attempts.get(number).token().isCancelled()).isTrue();
  }

  @Then("the token of attempt {int} is not cancelled")
  public void isNotCancelled(int number) {
    assertThat(attempts.get(number).token().isCancelled()).isFalse();
  }

  @Then("code of attempt {int} that asks its token is stopped")
  public void isStopped(int number) {
    assertThatExceptionOfType(CancelledException.class)
        .isThrownBy(attempts.get(number).token()::throwIfCancelled);
  }

  @Then("code of attempt {int} that asks its token goes on")
  public void goesOn(int number) {
    assertThatCode(attempts.get(number).token()::throwIfCancelled).doesNotThrowAnyException();
  }

  @Then("the loop has ended")
  public void loopHasEnded() throws Exception {
    loop.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  @Then("each callback of attempt {int} was called once and saw {string}")
  public void wasCalledOnce(int number, String what) throws Exception {
    var last = new CompletableFuture<Void>();
    attempts.get(number).token().onCancel(why -> last.complete(null));
    last.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    for (var calls : callbacks) {
      org.junit.jupiter.api.Assertions.assertTimeoutPreemptively(
          Duration.ofSeconds(PATIENCE_SECONDS),
          () -> {
            while (calls.isEmpty()) {
              Thread.onSpinWait();
            }
          });
      assertThat(calls).containsExactly("cancelled".equals(what));
    }
  }

  @Then("one of them was the first")
  public void oneWasFirst() {
    assertThat(first).hasSize(1);
  }

  @Then("its reason is that of the first")
  public void hasTheReasonOfTheFirst() {
    assertThat(attempts.get(1).token().cancellation()).contains(why(first.peek()));
  }

  private static Cancellation why(String by) {
    return new Cancellation(Cancellation.Cause.REQUESTED, "not needed", by);
  }

  private static void pass(CyclicBarrier barrier) {
    try {
      barrier.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
