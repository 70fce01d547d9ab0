package dev.handoff.features;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import dev.handoff.JobError;
import dev.handoff.breaker.BreakerInfo;
import dev.handoff.breaker.BreakerStatus;
import dev.handoff.cancel.CancellationSource;
import dev.handoff.internal.breaker.Breaker;
import dev.handoff.internal.breaker.BreakerSettings;
import dev.handoff.internal.breaker.Breakers;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.HandClock;
import io.cucumber.java.After;
import io.cucumber.java.en.Given;
import io.cucumber.java.en.Then;
import io.cucumber.java.en.When;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.AskPattern;

/// Steps about breakers in `issue_7088.feature`.
public final class BreakerSteps {

  private static final Duration TOOK = Duration.ofMillis(1);
  private static final JobError ERROR = JobError.of("no-route", "no route");

  /// Randomness in the middle of its range: no jitter.
  private static final RandomGenerator MIDDLE = () -> Long.MIN_VALUE;

  private final HandClock clock = new HandClock(Instant.parse("2026-01-01T00:00:00Z"));
  private ActorTestKit kit;
  private ActorRef<Breakers.Command> breakers;
  private Breaker.Permit before;
  private Breaker.Permit trial;

  @After("@issue_7088")
  public void stop() {
    if (kit != null) {
      kit.shutdownTestKit();
    }
  }

  @Given("a breaker that opens after {int} failures in a row")
  public void breaker(int threshold) {
    var settings =
        ConfigFactory.parseString("breakers.default.failure-threshold = " + threshold)
            .withFallback(ConfigFactory.defaultReference().resolve().getConfig("handoff"));
    kit = ActorTestKit.create();
    breakers =
        kit.spawn(
            Breakers.create(
                new Breakers.Environment(
                    BreakerSettings.from(settings),
                    clock,
                    () -> MIDDLE,
                    new CancellationSource())));
  }

  private <C, R> R ask(ActorRef<C> whom, Function<ActorRef<R>, C> message) {
    return BoundedWaits.get(
        AskPattern.<C, R>ask(
            whom, message::apply, BoundedWaits.PATIENCE, kit.system().scheduler()));
  }

  private Breaker.Answer acquire() {
    return ask(breakers, replyTo -> new Breakers.Acquire("search", replyTo));
  }

  private void succeed(Breaker.Permit permit) {
    this.<Breaker.Command, Breaker.Heard>ask(
        permit.breaker(), replyTo -> new Breaker.Succeeded(permit, TOOK, replyTo));
  }

  private void fail(Breaker.Permit permit) {
    this.<Breaker.Command, Breaker.Heard>ask(
        permit.breaker(), replyTo -> new Breaker.Failed(permit, ERROR, TOOK, replyTo));
  }

  private BreakerInfo steer(Breaker.Order order) {
    return ((Breakers.Found)
            this.<Breakers.Command, Breakers.Reply>ask(
                breakers, replyTo -> new Breakers.Steer("search", order, replyTo)))
        .info();
  }

  private BreakerInfo look() {
    return steer(Breaker.Order.LOOK);
  }

  @Given("a call that began before")
  public void callFromBefore() {
    before = (Breaker.Permit) acquire();
  }

  @When("{int} threads report {int} failures each at the same time")
  public void failFromMany(int threads, int each) {
    atOnce(
        threads,
        number -> {
          for (int i = 0; i < each; i++) {
            fail((Breaker.Permit) acquire());
          }
        });
  }

  @When(
      "{int} threads report {int} of everything at the same time, and the breaker is reset now and"
          + " then")
  public void everythingFromMany(int threads, int each) {
    atOnce(
        threads,
        number -> {
          for (int i = 0; i < each; i++) {
            int what = (i + number) % 10;
            if (acquire() instanceof Breaker.Permit permit) {
              report(permit, what);
            } else {
              steer(Breaker.Order.RESET);
            }
          }
        });
  }

  private void report(Breaker.Permit permit, int what) {
    if (what < 5) {
      fail(permit);
    } else if (what < 8) {
      succeed(permit);
    } else {
      this.<Breaker.Command, Breaker.Heard>ask(
          permit.breaker(), replyTo -> new Breaker.Released(permit, replyTo));
    }
  }

  private interface Work {
    void run(int number);
  }

  private static void atOnce(int count, Work work) {
    var barrier = new CyclicBarrier(count);
    var failures = new ConcurrentLinkedQueue<Throwable>();
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < count; i++) {
      int number = i;
      var thread =
          Thread.ofPlatform()
              .unstarted(
                  () -> {
                    try {
                      barrier.await();
                    } catch (Exception e) {
                      throw new AssertionError(e);
                    }
                    work.run(number);
                  });
      thread.setUncaughtExceptionHandler((failed, failure) -> failures.add(failure));
      thread.start();
      threads.add(thread);
    }
    for (var thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
    assertThat(failures).isEmpty();
  }

  @When("these happen one after the other: {}")
  public void inOrder(String order) {
    for (var what : order.split(", ")) {
      var permit = (Breaker.Permit) acquire();
      switch (what) {
        case "failure" -> fail(permit);
        case "success" -> succeed(permit);
        default -> throw new IllegalArgumentException(what);
      }
    }
  }

  @When("the breaker is reset")
  public void reset() {
    steer(Breaker.Order.RESET);
  }

  @When("the call that began before fails")
  public void beforeFails() {
    fail(before);
  }

  @When("the call that began before succeeds")
  public void beforeSucceeds() {
    succeed(before);
  }

  @When("the trial succeeds")
  public void trialSucceeds() {
    succeed(trial);
  }

  @When("the trial fails")
  public void trialFails() {
    fail(trial);
  }

  @When("{int} calls are made that never end")
  public void callsThatNeverEnd(int count) {
    for (int i = 0; i < count; i++) {
      assertThat(acquire()).isInstanceOf(Breaker.Permit.class);
    }
  }

  @When("{int} seconds pass")
  public void pass(int seconds) {
    clock.move(Duration.ofSeconds(seconds));
  }

  @Then("the breaker is {string}")
  public void is(String status) {
    assertThat(look().status().label()).isEqualTo(status);
  }

  @Then("it has counted {long} calls, {long} successes and {long} failures")
  public void hasCounted(long calls, long successes, long failures) {
    var counts = look().counts();
    assertThat(counts.calls()).isEqualTo(calls);
    assertThat(counts.successes()).isEqualTo(successes);
    assertThat(counts.failures()).isEqualTo(failures);
  }

  @Then("every call is counted exactly once")
  public void countedOnce() {
    var counts = look().counts();
    assertThat(counts.successes() + counts.failures() + counts.released())
        .isEqualTo(counts.calls());
    assertThat(look().out()).isZero();
  }

  @Then("the failures in a row fit the state")
  public void failuresFit() {
    var info = look();
    assertThat(info.status()).isIn(BreakerStatus.CLOSED, BreakerStatus.OPEN);
    if (info.status() == BreakerStatus.OPEN) {
      assertThat(info.counts().consecutive()).isEqualTo(3);
    } else {
      assertThat(info.counts().consecutive()).isBetween(0L, 2L);
    }
  }

  @Then("the next call is let through")
  public void isLetThrough() {
    assertThat(acquire()).isInstanceOf(Breaker.Permit.class);
  }

  @Then("the next call is let through as a trial")
  public void isLetThroughAsATrial() {
    trial = (Breaker.Permit) acquire();
    assertThat(trial.trial()).isTrue();
  }

  @Then("the call after it is refused")
  public void isRefused() {
    assertThat(acquire()).isInstanceOf(Breaker.Rejected.class);
  }

  @Then("the next call is refused until {int} seconds from now")
  public void isRefusedUntil(int seconds) {
    assertThat(acquire())
        .isEqualTo(new Breaker.Rejected(clock.instant().plusSeconds(seconds), "it is open"));
  }

  @Then("the breaker still answers")
  public void stillAnswers() {
    assertThat(look().status()).isEqualTo(BreakerStatus.CLOSED);
  }

  @Then("{int} permits are out")
  public void permitsAreOut(int count) {
    assertThat(look().out()).isEqualTo(count);
  }
}
