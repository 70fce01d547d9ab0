package dev.handoff.context.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.testing.Actors;
import dev.handoff.testing.HandClock;
import dev.handoff.testing.Seeds;
import dev.handoff.testing.Soon;
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

/// Several threads use one breaker at once. What each of them was answered, and what the breaker
/// has counted in the end, has to be what some order of all that they did gives in the simple
/// model.
@DisplayName("A breaker that several threads use at once")
class BreakerRaceTest {

  @RegisterExtension
  static final Actors actors = Actors.inRealTime().with("pekko.actor.serialize-messages = off");

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

  /// What a thread did, and was answered.
  ///
  /// @param permit which one was reported, or given; -1 if none
  /// @param heard null if it was no report
  private record Seen(What what, long permit, Breaker.Heard heard) {}

  private final HandClock clock = new HandClock(Rules.START);
  private ActorRef<Breaker.Command> breaker;
  private long first;

  private <R> R ask(Function<ActorRef<R>, Breaker.Command> message) {
    return Soon.get(
        AskPattern.<Breaker.Command, R>ask(
            breaker, message::apply, Soon.PATIENCE, actors.system().scheduler()));
  }

  private BreakerInfo steer(Breaker.Order order) {
    return (BreakerInfo) this.<Breakers.Reply>ask(replyTo -> new Breaker.Steer(order, replyTo));
  }

  private Breaker.Answer acquire() {
    return ask(Breaker.Acquire::new);
  }

  private Breaker.Heard fail(Breaker.Permit permit) {
    return ask(replyTo -> new Breaker.Failed(permit, Rules.ERROR, Rules.TOOK, replyTo));
  }

  @Test
  void isAsIfTheyHadComeInSomeOrder() {
    Seeds.each(300, random -> race(random, false));
  }

  @Test
  void isAsIfTheyHadComeInSomeOrderWhenItIsTimeForATrial() {
    Seeds.each(300, random -> race(random, true));
  }

  private void race(Random random, boolean halfOpen) throws Exception {
    var environment = new Breaker.Environment(clock, () -> Rules.MIDDLE);
    var registry = actors.system().<Breakers.Command>ignoreRef();
    breaker = actors.spawn(Breaker.create("search", Rules.rule(""), environment, registry));
    var model = new Naive();
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

  private void becomeHalfOpen(Naive model) {
    for (int i = 0; i < 3; i++) {
      fail((Breaker.Permit) acquire());
      model.report(model.acquire(), new Result.Failure(Rules.ERROR, Rules.TOOK));
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

  /// The first thread also has a permit from the beginning.
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
          case SUCCEED -> ask(replyTo -> new Breaker.Succeeded(permit, Rules.TOOK, replyTo));
          case RELEASE -> ask(replyTo -> new Breaker.Released(permit, replyTo));
          default -> fail(permit);
        };
    return new Seen(what, permit.number() - first, heard);
  }

  private Seen steered(What what, Breaker.Order order) {
    steer(order);
    return new Seen(what, -1, null);
  }

  /// Whether what is left of each thread can be put in an order that the model agrees with.
  private static boolean isExplained(
      Naive model, List<List<Seen>> seen, int[] done, BreakerInfo end) {
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

  private static boolean agrees(Naive model, Seen seen) {
    return switch (seen.what()) {
      case ACQUIRE -> model.acquire() == seen.permit();
      case SUCCEED -> model.report(seen.permit(), new Result.Success(Rules.TOOK)) == seen.heard();
      case FAIL, FAIL_AGAIN ->
          model.report(seen.permit(), new Result.Failure(Rules.ERROR, Rules.TOOK)) == seen.heard();
      case RELEASE -> model.report(seen.permit(), new Result.Nothing()) == seen.heard();
      case RESET -> steered(model, Breaker.Order.RESET);
      case FORCE_OPEN -> steered(model, Breaker.Order.FORCE_OPEN);
      case AUTOMATIC -> steered(model, Breaker.Order.AUTOMATIC);
    };
  }

  private static boolean steered(Naive model, Breaker.Order order) {
    model.steer(order);
    return true;
  }

  /// The checker can fail: an answer that no order gives is not explained.
  @Test
  void isNotExplainedIfAReportWasLost() {
    var model = new Naive();
    var end = new Driver("");
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
