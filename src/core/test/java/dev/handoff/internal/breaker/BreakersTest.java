package dev.handoff.internal.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.breaker.BreakerChange;
import dev.handoff.breaker.BreakerInfo;
import dev.handoff.breaker.BreakerStatus;
import dev.handoff.cancel.CancellationSource;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.HandClock;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The breakers of a node")
class BreakersTest {

  @RegisterExtension static final TestActors actors = TestActors.inManualTime();

  private final HandClock clock = new HandClock(BreakerRules.START);
  private final CancellationSource ending = new CancellationSource();
  private final TestProbe<Breaker.Answer> caller = actors.probe(Breaker.Answer.class);
  private final TestProbe<Breaker.Heard> reporter = actors.probe(Breaker.Heard.class);
  private final TestProbe<Breakers.Reply> operator = actors.probe(Breakers.Reply.class);
  private final TestProbe<Breakers.All> reader = actors.probe(Breakers.All.class);
  private final TestProbe<BreakerChange> watcher = actors.probe(BreakerChange.class);
  private final AtomicBoolean clockFails = new AtomicBoolean();
  private ActorRef<Breakers.Command> breakers = start("breakers.keep = 3");

  private ActorRef<Breakers.Command> start(String settings) {
    return actors.spawn(
        Breakers.create(
            new Breakers.Environment(
                BreakerRules.settings(settings), this::now, () -> BreakerRules.MIDDLE, ending)));
  }

  private Instant now() {
    if (clockFails.getAndSet(false)) {
      throw new IllegalStateException("the clock is broken");
    }
    return clock.instant();
  }

  @AfterEach
  void stop() {
    actors.stop(breakers);
  }

  private Breaker.Answer ask(String name) {
    breakers.tell(new Breakers.Acquire(name, caller.ref()));
    return caller.receiveMessage();
  }

  private Breaker.Permit acquire(String name) {
    return (Breaker.Permit) ask(name);
  }

  private Breaker.Heard succeed(Breaker.Permit permit) {
    permit.breaker().tell(new Breaker.Succeeded(permit, BreakerRules.TOOK, reporter.ref()));
    return reporter.receiveMessage();
  }

  private Breaker.Heard fail(Breaker.Permit permit) {
    permit
        .breaker()
        .tell(new Breaker.Failed(permit, BreakerRules.ERROR, BreakerRules.TOOK, reporter.ref()));
    return reporter.receiveMessage();
  }

  private void use(String name) {
    succeed(acquire(name));
  }

  private void open(String name) {
    for (int i = 0; i < 3; i++) {
      fail(acquire(name));
    }
  }

  private Breakers.Reply steer(String name, Breaker.Order order) {
    breakers.tell(new Breakers.Steer(name, order, operator.ref()));
    return operator.receiveMessage();
  }

  private BreakerInfo look(String name) {
    return ((Breakers.Found) steer(name, Breaker.Order.LOOK)).info();
  }

  private List<BreakerInfo> all(Breaker.Order order) {
    breakers.tell(new Breakers.SteerAll(order, reader.ref()));
    return reader.receiveMessage().breakers();
  }

  private List<String> names() {
    return all(Breaker.Order.LOOK).stream().map(BreakerInfo::name).toList();
  }

  private void pass(Duration time) {
    clock.move(time);
    actors.pass(time.plusMillis(20));
  }

  @Test
  void areMadeWhenTheyAreNeeded() {
    assertThat(names()).isEmpty();
    assertThat(steer("search", Breaker.Order.LOOK)).isEqualTo(new Breakers.NotFound("search"));
    assertThat(steer("search", Breaker.Order.RESET)).isEqualTo(new Breakers.NotFound("search"));
    assertThat(steer("search", Breaker.Order.AUTOMATIC)).isEqualTo(new Breakers.NotFound("search"));

    use("search");
    steer("a.b:c_d-1", Breaker.Order.DISABLE);
    steer("Z", Breaker.Order.FORCE_OPEN);

    assertThat(names()).containsExactly("Z", "a.b:c_d-1", "search");
  }

  @Test
  void areOnlyMadeForNames() {
    assertThat(ask("a b"))
        .isEqualTo(
            new Breaker.Refused(
                "breaker \"a b\" is not a name: 1 to 128 letters, digits and . _ : -, the first a"
                    + " letter or digit"));
    assertThat(ask("x".repeat(129))).isInstanceOf(Breaker.Refused.class);
    assertThat(ask(null)).isInstanceOf(Breaker.Refused.class);
    assertThat(steer("", Breaker.Order.DISABLE)).isInstanceOf(Breakers.NotPossible.class);
  }

  @Test
  void doNotMindEachOther() {
    open("search");

    assertThat(ask("search")).isInstanceOf(Breaker.Rejected.class);
    assertThat(ask("mail")).isInstanceOf(Breaker.Permit.class);
  }

  @Test
  void goByTheRuleOfTheirName() {
    actors.stop(breakers);
    breakers = start("breakers.named.search.failure-threshold = 1");

    fail(acquire("search"));
    fail(acquire("mail"));

    assertThat(look("search").status()).isEqualTo(BreakerStatus.OPEN);
    assertThat(look("mail").status()).isEqualTo(BreakerStatus.CLOSED);
  }

  @ParameterizedTest
  @EnumSource
  void areAnsweredInEveryState(BreakerStatus status) {
    var before = acquire("search");
    bring("search", status);
    assertThat(look("search").status()).isEqualTo(status);

    assertThat(ask("search")).isNotNull();
    assertThat(fail(before)).isIn(Breaker.Heard.COUNTED, Breaker.Heard.LATE);
    assertThat(succeed(before)).isEqualTo(Breaker.Heard.REPEATED);
    before.breaker().tell(new Breaker.Released(before, reporter.ref()));
    assertThat(reporter.receiveMessage()).isEqualTo(Breaker.Heard.REPEATED);
    for (var order : Breaker.Order.values()) {
      bring("search", status);
      assertThat(steer("search", order)).isInstanceOf(Breakers.Found.class);
    }
  }

  private void bring(String name, BreakerStatus status) {
    steer(name, Breaker.Order.RESET);
    switch (status) {
      case CLOSED -> {}
      case OPEN -> open(name);
      case HALF_OPEN -> {
        open(name);
        pass(Duration.ofSeconds(30));
      }
      case FORCED_OPEN -> steer(name, Breaker.Order.FORCE_OPEN);
      case DISABLED -> steer(name, Breaker.Order.DISABLE);
    }
  }

  @Test
  void areAllReset() {
    open("search");
    open("mail");
    steer("files", Breaker.Order.FORCE_OPEN);

    var reset = all(Breaker.Order.RESET);

    assertThat(reset).extracting(BreakerInfo::name).containsExactly("files", "mail", "search");
    assertThat(reset).extracting(BreakerInfo::status).containsOnly(BreakerStatus.CLOSED);
  }

  @Test
  void makeRoomOfTheOneThatWasUsedLongestAgo() {
    use("a");
    use("b");
    use("c");
    use("a");

    use("d");

    assertThat(names()).containsExactly("a", "c", "d");
  }

  @Test
  void makeNoRoomOfThoseThatAreOpenOrInUse() {
    open("a");
    var permit = acquire("b");
    steer("c", Breaker.Order.DISABLE);

    assertThat(ask("d"))
        .isEqualTo(
            new Breaker.Refused(
                "there are 3 breakers, and none is closed and unused; raise"
                    + " handoff.breakers.keep, or reset some"));
    assertThat(steer("d", Breaker.Order.DISABLE)).isInstanceOf(Breakers.NotPossible.class);
    succeed(permit);
    use("d");

    assertThat(names()).containsExactly("a", "c", "d");
  }

  /// No request is lost while idle breakers are removed.
  @Test
  void answerEverybodyWhileTheyMakeRoom() {
    var callers = actors.probe(Breaker.Answer.class);
    for (int i = 0; i < 2_000; i++) {
      breakers.tell(new Breakers.Acquire("name-" + i % 17, callers.ref()));
    }
    int permits = 0;
    for (int i = 0; i < 2_000; i++) {
      switch (callers.receiveMessage()) {
        case Breaker.Permit permit -> {
          permits++;
          permit.breaker().tell(new Breaker.Released(permit, actors.system().ignoreRef()));
        }
        case Breaker.Refused full -> {}
        case Breaker.Rejected never -> throw new AssertionError(never.toString());
      }
    }
    assertThat(permits).isPositive();
    use("afterwards");
    assertThat(names()).hasSize(3).contains("afterwards");
  }

  @Test
  void answerWhoeverAsksForTheOneThatIsJustLeaving() {
    var known = List.of("a", "b", "c");
    known.forEach(this::use);
    var absent = "d";
    for (int i = 0; i < 100; i++) {
      breakers.tell(new Breakers.Acquire(absent, caller.ref()));
      breakers.tell(new Breakers.Acquire(known.getFirst(), caller.ref()));

      succeed((Breaker.Permit) caller.receiveMessage());
      succeed((Breaker.Permit) caller.receiveMessage());

      var left = known.get(1);
      known = List.of(known.get(2), absent, known.getFirst());
      absent = left;
    }
  }

  @Test
  void refuseWhoeverComesWhenTooManyWaitForRoom() {
    acquire("a");
    acquire("b");
    acquire("c");
    var callers = actors.probe(Breaker.Answer.class);

    for (int i = 0; i < 10_100; i++) {
      breakers.tell(new Breakers.Acquire("d" + i, callers.ref()));
    }

    for (int i = 0; i < 10_100; i++) {
      assertThat(callers.receiveMessage()).isInstanceOf(Breaker.Refused.class);
    }
  }

  @Test
  void tellOfEveryChange() {
    breakers.tell(new Breakers.Subscribe(watcher.ref()));
    breakers.tell(new Breakers.Subscribe(watcher.ref()));
    open("search");
    var opened = watcher.receiveMessage();
    assertThat(opened.name()).isEqualTo("search");
    assertThat(opened.from()).isEqualTo(BreakerStatus.CLOSED);
    assertThat(opened.to()).isEqualTo(BreakerStatus.OPEN);
    assertThat(opened.at()).isEqualTo(BreakerRules.START);
    assertThat(opened.cause()).isEqualTo("3 failures in a row");

    pass(Duration.ofSeconds(30));
    assertThat(watcher.receiveMessage().to()).isEqualTo(BreakerStatus.HALF_OPEN);
    acquire("search");
    pass(Duration.ofSeconds(30));
    assertThat(watcher.receiveMessage().cause()).isEqualTo("the trial gave no sign within 30s");
    steer("search", Breaker.Order.RESET);
    var last = watcher.receiveMessage();
    assertThat(last.to()).isEqualTo(BreakerStatus.CLOSED);
    assertThat(last.generation()).isEqualTo(opened.generation() + 3);

    watcher.stop();
    open("search");
    assertThat(look("search").changes()).hasSize(5);
  }

  @Test
  void tellOfAChangeThatIsLate_becauseTheClockWasSetBack() {
    breakers.tell(new Breakers.Subscribe(watcher.ref()));
    open("search");
    assertThat(watcher.receiveMessage().to()).isEqualTo(BreakerStatus.OPEN);
    clock.move(Duration.ofSeconds(-10));
    pass(Duration.ofSeconds(30));
    watcher.expectNoMessage();

    pass(Duration.ofSeconds(10));

    assertThat(watcher.receiveMessage().to()).isEqualTo(BreakerStatus.HALF_OPEN);
  }

  /// A failing clock crashes the breaker: only the request at that moment is lost.
  @Test
  void makeABreakerAnewThatHasFailed() {
    var before = acquire("search");
    clockFails.set(true);
    breakers.tell(new Breakers.Acquire("search", caller.ref()));

    assertThat(succeed(acquire("search"))).isEqualTo(Breaker.Heard.COUNTED);
    assertThat(fail(before)).isEqualTo(Breaker.Heard.REPEATED);

    assertThat(look("search").counts())
        .isEqualTo(new BreakerInfo.Counts(1, 1, 0, 0, 0, 0, 0, 1, 0));
  }

  @Test
  void askTheNextOneToLeaveIfOneFailsMeanwhile() {
    use("a");
    use("b");
    use("c");
    clockFails.set(true);

    use("d");

    assertThat(names()).containsExactly("a", "c", "d");
  }

  @Test
  void makeABreakerAnewThatFailsAgainAndAgain() {
    clock.breakDown();
    for (int i = 0; i < 30; i++) {
      breakers.tell(new Breakers.Acquire("search", caller.ref()));
    }
    breakers.tell(new Breakers.SteerAll(Breaker.Order.LOOK, reader.ref()));

    clock.mend(BreakerRules.START);

    BoundedWaits.until("it is there again", () -> isThere("search"));
  }

  private boolean isThere(String name) {
    var probe = actors.probe(Breaker.Answer.class);
    breakers.tell(new Breakers.Acquire(name, probe.ref()));
    try {
      var permit = (Breaker.Permit) probe.receiveMessage(Duration.ofMillis(50));
      permit.breaker().tell(new Breaker.Released(permit, actors.system().ignoreRef()));
      return true;
    } catch (AssertionError notYet) {
      return false;
    }
  }

  @Test
  void saySoWhenTheyEnd() {
    use("search");

    actors.stop(breakers);

    BoundedWaits.until("the end is told", () -> ending.token().isCancelled());
  }
}
