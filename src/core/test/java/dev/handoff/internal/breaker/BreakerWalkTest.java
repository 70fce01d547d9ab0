package dev.handoff.internal.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.breaker.BreakerStatus;
import dev.handoff.testing.RandomSeeds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Explores all orders of messages to a breaker, including late reports, hanging trials and resets;
/// and longer random sequences, compared with the simple model.
@DisplayName("A breaker that is told things in any order")
class BreakerWalkTest {

  private static final int DEEP = 7;
  private static final int MOST_PERMITS = 4;
  private static final Duration STEP = Duration.ofSeconds(30);

  /// State in the walk.
  private record Place(BreakerState state, Instant now, List<BreakerState.Granted> permits) {
    BreakerStatus status() {
      return state.status();
    }
  }

  /// Message or event.
  private sealed interface Step {}

  private record Acquire() implements Step {}

  private record Report(int permit, CallResult result) implements Step {}

  private record Steer(Breaker.Order order) implements Step {}

  private record Pass() implements Step {}

  private static List<Step> steps(Place place) {
    var steps = new ArrayList<Step>();
    if (place.permits().size() < MOST_PERMITS) {
      steps.add(new Acquire());
    }
    for (int permit = 0; permit < place.permits().size(); permit++) {
      steps.add(new Report(permit, new CallResult.Success(BreakerRules.TOOK)));
      steps.add(new Report(permit, new CallResult.Failure(BreakerRules.ERROR, BreakerRules.TOOK)));
      steps.add(new Report(permit, new CallResult.Nothing()));
    }
    for (var order : List.of(Breaker.Order.RESET, Breaker.Order.FORCE_OPEN)) {
      steps.add(new Steer(order));
    }
    steps.add(new Steer(Breaker.Order.AUTOMATIC));
    steps.add(new Pass());
    return steps;
  }

  /// @param generations whether reports carry the generation of their permit, as they must, rather
  ///   than the current one
  private static Place go(Place from, Step step, boolean generations) {
    var state = from.state();
    var now = from.now();
    return switch (step) {
      case Acquire acquire -> {
        var acquired = state.acquire(now, BreakerRules.MIDDLE);
        var permits = new ArrayList<>(from.permits());
        if (acquired.verdict() instanceof BreakerState.Granted granted) {
          permits.add(granted);
        }
        yield new Place(acquired.next(), now, List.copyOf(permits));
      }
      case Report(int number, var result) -> {
        var permit = from.permits().get(number);
        long generation = generations ? permit.generation() : state.term().generation();
        var reported = state.report(generation, permit.number(), result, now, BreakerRules.MIDDLE);
        yield new Place(reported.next(), now, from.permits());
      }
      case Steer(var order) ->
          new Place(state.steer(order, now, BreakerRules.MIDDLE), now, from.permits());
      case Pass pass -> {
        var later = now.plus(STEP);
        yield new Place(state.at(later, BreakerRules.MIDDLE), later, from.permits());
      }
    };
  }

  /// Violation in a step, if any.
  private static Optional<String> wrong(Place from, Step step, Place to) {
    var counts = to.state().counts();
    long known = counts.successes() + counts.failures() + counts.released() + counts.lost();
    if (counts.calls() != known + to.state().permits().out()) {
      return Optional.of("a call is not counted exactly once");
    }
    if (to.state().term().phase() instanceof BreakerPhase.HalfOpen half
        && (half.trials().size() > 1
            || half.trials().stream()
                .anyMatch(trial -> !to.state().permits().isOut(trial.permit())))) {
      return Optional.of("it waits for a trial that nobody makes");
    }
    if (to.status() == BreakerStatus.CLOSED && counts.consecutive() >= 3) {
      return Optional.of("it is closed in spite of three failures in a row");
    }
    boolean same = from.state().term().equals(to.state().term());
    if (step instanceof Report(int number, var result) && !same) {
      var permit = from.permits().get(number);
      if (permit.generation() != from.state().term().generation()) {
        return Optional.of("a report from before moved it to " + to.status().label());
      }
    }
    if (from.status() == BreakerStatus.HALF_OPEN
        && to.status() == BreakerStatus.CLOSED
        && step instanceof Report(int number, var result)
        && !from.permits().get(number).trial()) {
      return Optional.of("closed by what was no trial");
    }
    return letsThroughSomeTime(to) ? Optional.empty() : Optional.of("it is stuck");
  }

  /// Whether a caller that waits long enough gets a permit, even if no other caller ever reports.
  private static boolean letsThroughSomeTime(Place place) {
    if (place.status() == BreakerStatus.FORCED_OPEN) {
      return true;
    }
    var state = place.state();
    var now = place.now();
    for (int i = 0; i < 3; i++) {
      if (state.acquire(now, BreakerRules.MIDDLE).verdict() instanceof BreakerState.Granted) {
        return true;
      }
      now = now.plus(Duration.ofMinutes(5));
      state = state.at(now, BreakerRules.MIDDLE);
    }
    return false;
  }

  /// Explores all reachable states breadth-first, and collects the violations.
  private static int walk(Place start, int deep, boolean generations, List<String> wrong) {
    Set<Place> seen = new HashSet<>(Set.of(start));
    var edge = new ArrayDeque<>(List.of(start));
    for (int depth = 0; depth < deep; depth++) {
      var next = new ArrayDeque<Place>();
      for (var from : edge) {
        for (var step : steps(from)) {
          var to = go(from, step, generations);
          wrong(from, step, to).ifPresent(problem -> wrong.add(problem + " by " + step));
          if (seen.add(to)) {
            next.add(to);
          }
        }
      }
      edge = next;
    }
    return seen.size();
  }

  private static Place closed() {
    return new Place(BreakerRules.fresh(""), BreakerRules.START, List.of());
  }

  /// Half-open breaker after three failures, with a call from before still in progress.
  private static Place halfOpen() {
    var breaker = new BreakerDriver("");
    breaker.permit();
    breaker.becomeHalfOpen();
    return new Place(breaker.state, breaker.now, List.of(breaker.permits.getFirst()));
  }

  @Test
  void isNeverWrongFromClosed() {
    var wrong = new ArrayList<String>();

    int places = walk(closed(), DEEP, true, wrong);

    assertThat(wrong).isEmpty();
    assertThat(places).isGreaterThan(10_000);
  }

  @Test
  void isNeverWrongWithLateReportsAndHungTrials() {
    var wrong = new ArrayList<String>();

    int places = walk(halfOpen(), DEEP - 1, true, wrong);

    assertThat(wrong).isEmpty();
    assertThat(places).isGreaterThan(5_000);
  }

  @Test
  void wouldBeClosedUnderARunningTrialIfGenerationsWereIgnored() {
    var wrong = new ArrayList<String>();

    walk(halfOpen(), 2, false, wrong);

    assertThat(wrong)
        .anyMatch(problem -> problem.startsWith("a report from before moved it to closed by"));
  }

  @Test
  void doesWhatTheSimpleModelDoes() {
    RandomSeeds.each(2_000, BreakerWalkTest::compare);
  }

  private static void compare(Random random) {
    var place = closed();
    var model = new NaiveBreaker();
    for (int i = 0; i < 80; i++) {
      var step = random(place, random);
      place = go(place, step, true);
      tell(model, step);
      assertThat(place.status()).isEqualTo(model.status);
      assertThat(place.state().counts().info()).isEqualTo(model.counts());
    }
  }

  private static Step random(Place place, Random random) {
    int permits = place.permits().size();
    int choice = random.nextInt(20);
    if (choice < 7 || permits == 0) {
      return new Acquire();
    }
    if (choice < 17) {
      int permit = Math.max(0, permits - 1 - random.nextInt(4));
      return switch (random.nextInt(5)) {
        case 0, 1 -> new Report(permit, new CallResult.Success(BreakerRules.TOOK));
        case 2 -> new Report(permit, new CallResult.Nothing());
        default ->
            new Report(permit, new CallResult.Failure(BreakerRules.ERROR, BreakerRules.TOOK));
      };
    }
    return choice < 18
        ? new Steer(Breaker.Order.values()[random.nextInt(Breaker.Order.values().length)])
        : new Pass();
  }

  private static void tell(NaiveBreaker model, Step step) {
    switch (step) {
      case Acquire acquire -> model.acquire();
      case Report(int permit, var result) -> model.report(permit, result);
      case Steer(var order) -> model.steer(order);
      case Pass pass -> model.pass(STEP.toSeconds());
    }
  }
}
