package dev.handoff.internal.dispatch;

import static dev.handoff.internal.dispatch.LoneDispatcher.ERA;
import static dev.handoff.internal.dispatch.LoneDispatcher.NARROW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The slots of a limited queue")
class QueueGateTest {

  private final List<DispatchedAttempt> resumed = new ArrayList<>();
  private final QueueGate gate = new QueueGate(NARROW, resumed::add);
  private final LoneDispatcher desk = new LoneDispatcher();

  private DispatchedAttempt attempt(int job) {
    return desk.handed(job, 1, NARROW, desk.credit(1, job));
  }

  private static Queues.SlotsHeld held(long granted, long returned, int wanted) {
    return new Queues.SlotsHeld(0, NARROW, ERA, granted, returned, wanted);
  }

  private void limit(int most) {
    gate.setRule(new QueueRule(false, most));
    gate.begin(ERA, 0);
  }

  @Test
  void areAsManyAsThereAreWorkersWithoutALimit() {
    assertThat(gate.most()).isEqualTo(Integer.MAX_VALUE);
    gate.enter();
    gate.freeUnused(QueueGate.NONE);
    gate.leave(QueueGate.NONE);
    assertThat(gate.most()).isEqualTo(Integer.MAX_VALUE);
    assertThat(gate.news(0, 5)).isNull();
    gate.setRule(new QueueRule(true, null));
    assertThat(gate.most()).isZero();
    assertThat(gate.isPaused()).isTrue();
  }

  @Test
  void areTakenAndKeptWithinTheirEra() {
    limit(5);
    assertThat(gate.most()).isZero();
    gate.grant(ERA, 2);
    gate.grant(ERA, 2);
    gate.grant(ERA, 1);
    gate.grant(ERA + 1, 9);
    assertThat(gate.most()).isEqualTo(2);

    gate.enter();
    assertThat(gate.most()).isEqualTo(1);
    gate.freeUnused(ERA - 1);
    assertThat(gate.most()).isEqualTo(1);
    gate.freeUnused(ERA);
    assertThat(gate.most()).isEqualTo(2);
  }

  /// With a limit of 1, neither of two offers from before may leave its slot to another job.
  @Test
  void areReturnedByOffersFromBeforeTheLimitWasLowered() {
    gate.setRule(new QueueRule(false, 1));
    gate.begin(ERA, 2);

    gate.freeUnused(ERA);
    gate.freeUnused(ERA);

    assertThat(gate.most()).isZero();
    assertThat(gate.news(0, 5)).isEqualTo(held(2, 2, 1));
    gate.grant(ERA, 3);
    gate.enter();
    gate.freeUnused(ERA);
    assertThat(gate.most()).isEqualTo(1);
  }

  @Test
  void countWhatIsInUseWhenTheirEraBegins() {
    gate.setRule(new QueueRule(false, 3));
    gate.begin(ERA, 2);
    gate.grant(ERA, 3);

    assertThat(gate.most()).isEqualTo(1);
    gate.leave(ERA);
    gate.leave(ERA - 1);
    assertThat(gate.news(0, 1)).isEqualTo(held(3, 1, 0));
    gate.begin(ERA + 1, 0);
    assertThat(gate.most()).isZero();
    assertThat(gate.news(0, 1)).isEqualTo(new Queues.SlotsHeld(0, NARROW, ERA + 1, 0, 0, 1));
  }

  @Test
  void areWantedForWhatCouldRunUpToTheLimit() {
    limit(3);

    assertThat(gate.news(0, 2)).isEqualTo(held(0, 0, 2));
    assertThat(gate.news(0, 2)).as("no news").isNull();
    assertThat(gate.news(0, 9)).isEqualTo(held(0, 0, 3));
    gate.grant(ERA, 2);
    assertThat(gate.news(0, 3)).isEqualTo(held(2, 0, 1));
    gate.repeat();
    assertThat(gate.news(0, 3)).isEqualTo(held(2, 0, 1));
  }

  @Test
  void areGivenBackWhereTheyAreOfNoUse() {
    limit(5);
    gate.grant(ERA, 3);

    assertThat(gate.news(0, 3)).isEqualTo(held(3, 0, 0));
    assertThat(gate.news(0, 1)).isEqualTo(held(3, 2, 0));
    assertThat(gate.most()).isEqualTo(1);
    gate.setRule(new QueueRule(true, 5));
    assertThat(gate.news(0, 1)).isEqualTo(held(3, 3, 0));
    gate.setRule(new QueueRule(false, 5));
    assertThat(gate.most()).isZero();
  }

  @Test
  void areForAttemptsThatHaveWaitedFirst() {
    limit(5);
    var first = attempt(1);
    var second = attempt(2);
    gate.await(first);
    gate.await(second);
    gate.await(second);
    assertThat(gate.news(0, 1)).isEqualTo(held(0, 0, 3));

    gate.grant(ERA, 1);
    assertThat(resumed).containsExactly(first);
    assertThat(first.slotEra).isEqualTo(ERA);
    assertThat(gate.most()).isZero();
    gate.grant(ERA, 3);
    assertThat(resumed).containsExactly(first, second);
    assertThat(gate.most()).isEqualTo(1);
  }

  @Test
  void areNotForAttemptsThatAreOver() {
    limit(5);
    var attempt = attempt(1);
    gate.await(attempt);
    gate.forget(attempt);

    gate.grant(ERA, 1);

    assertThat(resumed).isEmpty();
    assertThat(gate.most()).isEqualTo(1);
  }

  @Test
  void areForWhoWaitsWhenOneIsKeptOrTheLimitGoes() {
    limit(5);
    gate.grant(ERA, 1);
    gate.enter();
    gate.await(attempt(1));
    gate.await(attempt(2));
    gate.freeUnused(ERA);
    assertThat(resumed).hasSize(1);

    gate.begin(QueueGate.NONE, 0);

    assertThat(resumed).hasSize(2);
    assertThat(resumed.getLast().slotEra).isEqualTo(QueueGate.NONE);
  }

  @Test
  void areOpenWhileTheyAreInUseOrWanted() {
    limit(5);
    assertThat(gate.isOpen()).isFalse();
    gate.news(0, 1);
    assertThat(gate.isOpen()).as("wanted").isTrue();
    gate.grant(ERA, 1);
    gate.enter();
    gate.news(0, 0);
    assertThat(gate.isOpen()).as("in use").isTrue();
    gate.leave(ERA);
    gate.news(0, 0);
    assertThat(gate.isOpen()).isFalse();
  }

  @Test
  void areLimitedToOneAtLeast() {
    assertThat(new QueueRule(false, 1).maxRunning()).isEqualTo(1);
    assertThatIllegalArgumentException().isThrownBy(() -> new QueueRule(false, 0));
  }

  private static Dispatcher.Rules rules(long version, boolean paused) {
    return new Dispatcher.Rules(
        version, Map.of(NARROW, new QueueRule(paused, 1)), Map.of(NARROW, ERA));
  }

  @Test
  void areThoseOfTheNewestRules() {
    var limits = desk.limits;
    assertThat(limits.areKnown()).isFalse();
    assertThat(limits.isConfirming()).isFalse();

    assertThat(limits.apply(rules(2, false), (queue, era) -> 1)).hasSize(1);
    assertThat(limits.areKnown()).isTrue();
    assertThat(limits.apply(rules(1, true), (queue, era) -> 0)).isEmpty();
    assertThat(limits.gate(NARROW).isPaused()).isFalse();
    assertThat(limits.apply(rules(2, true), (queue, era) -> 9)).hasSize(1);
    assertThat(limits.gate(NARROW).isPaused()).isTrue();
    assertThat(limits.slotOf(NARROW)).isEqualTo(ERA);
    assertThat(limits.slotOf("other")).isEqualTo(QueueGate.NONE);

    limits.apply(new Dispatcher.Rules(3, Map.of(), Map.of()), (queue, era) -> 0);
    assertThat(limits.gate(NARROW)).isNull();
    assertThat(limits.slotOf(NARROW)).isEqualTo(QueueGate.NONE);
  }

  @Test
  void areConfirmedWhenNoJobOfAPausedQueueCanBeClaimed() {
    var limits = desk.limits;
    limits.apply(rules(1, true), (queue, era) -> 0);

    limits.tell(queue -> 0, Stream.of(NARROW));
    assertThat(limits.isConfirming()).isTrue();
    assertThat(desk.queues.getAllReceived()).noneMatch(Queues.Confirmed.class::isInstance);
    limits.tell(queue -> 0, Stream.of("other"));

    assertThat(limits.isConfirming()).isFalse();
    assertThat(desk.queues.getAllReceived())
        .containsExactly(new Queues.Confirmed(0, desk.self.getRef(), 1));
    limits.tell(queue -> 0, Stream.empty());
    assertThat(desk.queues.getAllReceived()).isEmpty();
  }

  @Test
  void areToldWhenTheyHaveChangedAndAgainWhileTheyAreOpen() {
    var told = new ArrayList<String>();
    var limits =
        new QueueLimits(
            0, desk.self.getRef(), desk.queues.getRef(), () -> told.add("soon"), resumed::add);
    limits.apply(rules(1, false), (queue, era) -> 0);
    limits.tell(queue -> 1, Stream.empty());
    assertThat(desk.queues.getAllReceived()).contains(held(0, 0, 1));
    told.clear();

    limits.tell(queue -> 1, Stream.empty());
    limits.touch("other");
    assertThat(told).isEmpty();
    limits.touch(NARROW);
    limits.tell(queue -> 1, Stream.empty());
    assertThat(desk.queues.getAllReceived()).isEmpty();
    limits.repeat();
    limits.tell(queue -> 1, Stream.empty());

    assertThat(desk.queues.getAllReceived()).containsExactly(held(0, 0, 1));
    assertThat(told).hasSize(2);
    limits.grant(new Dispatcher.Slots("other", ERA, 1));
    limits.grant(new Dispatcher.Slots(NARROW, ERA, 1));
    limits.freeUnused("other", ERA);
    limits.freeUnused(NARROW, ERA);
    assertThat(told).hasSize(4);
    limits.tell(queue -> 2, Stream.empty());
    assertThat(desk.queues.getAllReceived()).containsExactly(held(1, 0, 0));
  }

  /// Whoever says them again may have missed what was told.
  @Test
  void areToldAgainWhenTheRulesAreSaidAgain() {
    var limits = desk.limits;
    limits.apply(rules(1, false), (queue, era) -> 0);
    limits.tell(queue -> 1, Stream.empty());
    assertThat(desk.queues.getAllReceived()).contains(held(0, 0, 1));

    limits.apply(rules(1, false), (queue, era) -> 0);
    limits.tell(queue -> 1, Stream.empty());

    assertThat(desk.queues.getAllReceived()).contains(held(0, 0, 1));
  }

  /// To count the jobs of each queue costs time.
  @Test
  void areLookedAtOnlyWhereSomethingMayHaveChanged() {
    var counted = new ArrayList<String>();
    var limits = desk.limits;
    limits.apply(rules(1, false), (queue, era) -> 0);
    limits.tell(queue -> counted.add(queue) ? 1 : 0, Stream.empty());
    assertThat(counted).containsExactly(NARROW);

    limits.tell(queue -> counted.add(queue) ? 1 : 0, Stream.empty());

    assertThat(counted).hasSize(1);
  }

  @Test
  void areLeftAndEnteredByAttempts() {
    var limits = desk.limits;
    var free = desk.handed(2, 1, "other", desk.credit(1, 2));
    limits.enter(free);
    assertThat(desk.resumed).containsExactly(free);
    limits.apply(rules(1, false), (queue, era) -> 1);
    var attempt = attempt(1);
    attempt.slotEra = ERA;

    limits.leave(attempt);
    assertThat(attempt.slotEra).isEqualTo(QueueGate.NONE);
    assertThat(desk.returned()).isEqualTo(1);
    limits.enter(attempt);
    limits.tell(queue -> 0, Stream.empty());
    assertThat(desk.queues.getAllReceived()).contains(held(1, 1, 1));
    limits.leave(attempt);
    desk.grant(2);

    assertThat(desk.resumed).containsExactly(free);
  }
}
