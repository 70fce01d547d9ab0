package dev.handoff.internal.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.breaker.BreakerInfo;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.HandClock;
import dev.handoff.testing.RandomSeeds;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Linearizability of a breaker: the answers to several threads and the final counts must equal
/// those of the simple model for some order of all operations.
@DisplayName("A breaker that several threads use at once")
class BreakerRaceTest {

  @RegisterExtension
  static final TestActors actors =
      TestActors.inRealTime().with("pekko.actor.serialize-messages = off");

  private static final int THREADS = 3;
  private static final int STEPS = 5;

  private enum What {
    ACQUIRE,
    SUCCEED,
    FAIL,
    RELEASE,
    FAIL_AGAIN,
    RESET,
    FORCE_OPEN,
    AUTOMATIC
  }

  /// Operation of a thread with its answer.
  ///
  /// @param permit permit granted or reported; -1 if none
  /// @param heard null unless the operation is a report
  private record Seen(What what, long permit, Breaker.Heard heard) {}

  private final HandClock clock = new HandClock(BreakerRules.START);
  private ActorRef<Breaker.Command> breaker;
  private long first;

  private <R> R ask(Function<ActorRef<R>, Breaker.Command> message) {
    return BoundedWaits.get(
        AskPattern.<Breaker.Command, R>ask(
            breaker, message::apply, BoundedWaits.PATIENCE, actors.system().scheduler()));
  }

  private BreakerInfo steer(Breaker.Order order) {
    return ((Breakers.Found) this.<Breakers.Reply>ask(replyTo -> new Breaker.Steer(order, replyTo)))
        .info();
  }

  private Breaker.Answer acquire() {
    return ask(Breaker.Acquire::new);
  }

  private Breaker.Heard fail(Breaker.Permit permit) {
    return ask(
        replyTo -> new Breaker.Failed(permit, BreakerRules.ERROR, BreakerRules.TOOK, replyTo));
  }

  @Test
  void isAsIfTheyHadComeInSomeOrder() {
    RandomSeeds.each(300, random -> race(random, false));
  }

  @Test
  void isAsIfTheyHadComeInSomeOrderWhenItIsTimeForATrial() {
    RandomSeeds.each(300, random -> race(random, true));
  }

  private void race(Random random, boolean halfOpen) throws Exception {
    var environment = new Breaker.Environment(clock, () -> BreakerRules.MIDDLE);
    var registry = actors.system().<Breakers.Command>ignoreRef();
    breaker = actors.spawn(Breaker.create("search", BreakerRules.rule(""), environment, registry));
    var model = new NaiveBreaker();
    var begun = (Breaker.Permit) acquire();
    first = begun.number();
    model.acquire();
    if (halfOpen) {
      becomeHalfOpen(model);
    }
    var plans = plans(random);
    var seen = run(plans, begun);

    assertThat(isExplained(model, seen, new int[THREADS], steer(Breaker.Order.LOOK)))
        .as("no order explains %s", seen)
        .isTrue();
    actors.stop(breaker);
  }

  private void becomeHalfOpen(NaiveBreaker model) {
    for (int i = 0; i < 3; i++) {
      fail((Breaker.Permit) acquire());
      model.report(model.acquire(), new CallResult.Failure(BreakerRules.ERROR, BreakerRules.TOOK));
    }
    clock.move(Duration.ofSeconds(30));
    model.pass(30);
  }

  private static List<List<What>> plans(Random random) {
    var plans = new ArrayList<List<What>>();
    for (int thread = 0; thread < THREADS; thread++) {
      plans.add(random.ints(STEPS, 0, 15).mapToObj(BreakerRaceTest::what).toList());
    }
    return plans;
  }

  private static What what(int choice) {
    return choice < 4
        ? What.ACQUIRE
        : choice < 8 ? What.FAIL : What.values()[choice == 8 || choice == 9 ? 1 : choice - 7];
  }

  /// Runs the threads; the first one starts with a permit.
  private List<List<Seen>> run(List<List<What>> plans, Breaker.Permit begun) throws Exception {
    var barrier = new CyclicBarrier(THREADS);
    var seen = new ArrayList<List<Seen>>();
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < THREADS; i++) {
      var mine = new ArrayList<Seen>();
      var plan = plans.get(i);
      var permits = new ArrayDeque<Breaker.Permit>();
      if (i == 0) {
        permits.add(begun);
      }
      seen.add(mine);
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    pass(barrier);
                    Breaker.Permit[] last = {begun};
                    plan.forEach(what -> mine.add(act(what, permits, last)));
                  }));
    }
    for (var thread : threads) {
      thread.join();
    }
    return seen;
  }

  private static void pass(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private Seen act(What what, ArrayDeque<Breaker.Permit> permits, Breaker.Permit[] last) {
    return switch (what) {
      case ACQUIRE ->
          switch (acquire()) {
            case Breaker.Permit permit -> {
              permits.add(permit);
              yield new Seen(what, permit.number() - first, null);
            }
            case Breaker.Answer none -> new Seen(what, -1, null);
          };
      case SUCCEED, FAIL, RELEASE -> {
        var permit = permits.isEmpty() ? last[0] : permits.poll();
        last[0] = permit;
        yield report(what, permit);
      }
      case FAIL_AGAIN -> report(what, last[0]);
      case RESET -> steered(what, Breaker.Order.RESET);
      case FORCE_OPEN -> steered(what, Breaker.Order.FORCE_OPEN);
      case AUTOMATIC -> steered(what, Breaker.Order.AUTOMATIC);
    };
  }

  private Seen report(What what, Breaker.Permit permit) {
    Breaker.Heard heard =
        switch (what) {
          case SUCCEED -> ask(replyTo -> new Breaker.Succeeded(permit, BreakerRules.TOOK, replyTo));
          case RELEASE -> ask(replyTo -> new Breaker.Released(permit, replyTo));
          default -> fail(permit);
        };
    return new Seen(what, permit.number() - first, heard);
  }

  private Seen steered(What what, Breaker.Order order) {
    steer(order);
    return new Seen(what, -1, null);
  }

  /// Whether some order of the remaining operations agrees with the model.
  private static boolean isExplained(
      NaiveBreaker model, List<List<Seen>> seen, int[] done, BreakerInfo end) {
    boolean over = true;
    for (int thread = 0; thread < seen.size(); thread++) {
      if (done[thread] < seen.get(thread).size()) {
        over = false;
        var next = model.copy();
        if (agrees(next, seen.get(thread).get(done[thread]))) {
          done[thread]++;
          boolean explained = isExplained(next, seen, done, end);
          done[thread]--;
          if (explained) {
            return true;
          }
        }
      }
    }
    return over && model.status == end.status() && model.counts().equals(end.counts());
  }

  private static boolean agrees(NaiveBreaker model, Seen seen) {
    return switch (seen.what()) {
      case ACQUIRE -> model.acquire() == seen.permit();
      case SUCCEED ->
          model.report(seen.permit(), new CallResult.Success(BreakerRules.TOOK)) == seen.heard();
      case FAIL, FAIL_AGAIN ->
          model.report(seen.permit(), new CallResult.Failure(BreakerRules.ERROR, BreakerRules.TOOK))
              == seen.heard();
      case RELEASE -> model.report(seen.permit(), new CallResult.Nothing()) == seen.heard();
      case RESET -> steered(model, Breaker.Order.RESET);
      case FORCE_OPEN -> steered(model, Breaker.Order.FORCE_OPEN);
      case AUTOMATIC -> steered(model, Breaker.Order.AUTOMATIC);
    };
  }

  private static boolean steered(NaiveBreaker model, Breaker.Order order) {
    model.steer(order);
    return true;
  }

  /// Test of the checker: no order explains this answer.
  @Test
  void isNotExplainedIfAReportWasLost() {
    var model = new NaiveBreaker();
    var end = new BreakerDriver("");
    var seen = new ArrayList<List<Seen>>();
    for (int i = 0; i < 2; i++) {
      seen.add(
          List.of(new Seen(What.ACQUIRE, i, null), new Seen(What.FAIL, i, Breaker.Heard.COUNTED)));
    }
    end.failures(1);
    assertThat(isExplained(model, seen, new int[2], end.state.info())).isFalse();

    end.failures(1);

    assertThat(isExplained(model, seen, new int[2], end.state.info())).isTrue();
  }
}
