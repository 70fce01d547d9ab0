package dev.handoff.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.ledger.FactCodec;
import dev.handoff.internal.ledger.Ledger;
import dev.handoff.testing.HandClock;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("The queues of an engine with two partitions")
class QueuesTest {

  private static final Duration REPEAT = Duration.ofSeconds(2);

  @RegisterExtension static final TestActors actors = TestActors.inManualTime();

  private final TestProbe<Ledger.Command> ledger = actors.probe(Ledger.Command.class);
  private final TestProbe<Queues.Reply> requester = actors.probe(Queues.Reply.class);
  private final TestProbe<Dispatcher.Command> first = actors.probe(Dispatcher.Command.class);
  private final TestProbe<Dispatcher.Command> second = actors.probe(Dispatcher.Command.class);
  private final ActorRef<Queues.Command> queues =
      actors.spawn(
          Queues.create(
              new Queues.Environment(
                  2,
                  new FactCodec(List.of(QueueFact.class, QueuesState.class)),
                  new HandClock(Instant.EPOCH),
                  REPEAT)));

  @Test
  void answerAPauseWhenItIsDurableAndEveryDispatcherGoesByIt() {
    open(QueuesState.NONE);
    change(new Queues.Paused(true));
    first.expectMessageClass(Dispatcher.Rules.class);

    commit();
    assertThat(rules(first, 1).rules().get("q").paused()).isTrue();
    confirm(0, first, 1);
    confirm(1, second, 0);
    requester.expectNoMessage(Duration.ofMillis(1));
    confirm(1, second, 1);

    assertThat(requester.receiveMessage()).isEqualTo(done(true, null));
  }

  @Test
  void takeNoConfirmationOfADispatcherThatWasReplaced() {
    open(QueuesState.NONE);
    change(new Queues.Paused(true));
    commit();
    var third = actors.probe(Dispatcher.Command.class);
    queues.tell(new Queues.Hello(1, third.ref()));

    confirm(0, first, 1);
    confirm(1, second, 1);
    requester.expectNoMessage(Duration.ofMillis(1));
    confirm(1, third, 1);

    assertThat(requester.receiveMessage()).isEqualTo(done(true, null));
  }

  @Test
  void tellTheRulesAgainUntilTheyAreConfirmed() {
    open(QueuesState.NONE.apply(new QueueFact.RuleSet("q", rule(true, null), Instant.EPOCH)));
    rules(first, 1);
    rules(second, 1);
    confirm(0, first, 1);

    actors.pass(REPEAT);

    rules(second, 1);
    first.expectNoMessage(Duration.ofMillis(1));
  }

  @Test
  void answerAChangeThatChangesNothingWithoutWriting() {
    open(QueuesState.NONE);
    confirm(0, first, 0);
    confirm(1, second, 0);

    change(new Queues.Paused(false));

    assertThat(requester.receiveMessage()).isEqualTo(done(false, null));
    ledger.expectNoMessage(Duration.ofMillis(1));
  }

  @Test
  void sayWhenAChangeCannotBeWritten() {
    open(QueuesState.NONE);
    change(new Queues.Paused(true));
    change(new Queues.Limited(1));

    ledger
        .expectMessageClass(Ledger.Append.class)
        .sender()
        .tell(new Ledger.Unavailable("it is away", REPEAT));
    assertThat(requester.receiveMessage()).isEqualTo(new Queues.NotDone("q", "it is away"));
    ledger.expectMessageClass(Ledger.Append.class).sender().tell(new Ledger.Refused("too long"));
    assertThat(requester.receiveMessage()).isEqualTo(new Queues.NotDone("q", "too long"));
  }

  @Test
  void waitWithChangesForTheirLedgerAndRefuseTooMany() {
    for (int i = 0; i < 1_001; i++) {
      change(new Queues.Paused(true));
    }

    assertThat(requester.receiveMessage())
        .isEqualTo(new Queues.NotDone("q", "1000 changes of queues wait already"));
    open(QueuesState.NONE);
    ledger.expectMessageClass(Ledger.Append.class);
  }

  @Test
  void refuseTooManyChangesThatADispatcherHasNotConfirmed() {
    open(QueuesState.NONE);
    for (int i = 0; i < 1_000; i++) {
      change(new Queues.Paused(false));
    }
    requester.expectNoMessage(Duration.ofMillis(1));

    change(new Queues.Paused(false));

    assertThat(requester.receiveMessage())
        .isEqualTo(new Queues.NotDone("q", "1000 changes of queues wait already"));
    confirm(0, first, 0);
    confirm(1, second, 0);
    assertThat(requester.receiveSeveralMessages(1_000)).containsOnly(done(false, null));
    change(new Queues.Paused(false));
    assertThat(requester.receiveMessage()).isEqualTo(done(false, null));
  }

  @Test
  void tellThatTheOutcomeIsOpenWhenPartitionZeroIsOpenedAnew() {
    open(QueuesState.NONE);
    change(new Queues.Paused(true));
    var lost = ledger.expectMessageClass(Ledger.Append.class);

    queues.tell(new Queues.Restored(QueuesState.NONE, ledger.ref()));

    assertThat(requester.receiveMessage())
        .isEqualTo(new Queues.NotDone("q", "partition 0 was opened anew"));
    lost.sender().tell(new Ledger.Refused("late"));
    requester.expectNoMessage(Duration.ofMillis(1));
  }

  @Test
  void grantNothingBeforeEveryPartitionHasSaidWhatItHolds() {
    open(limited(3));
    long eraOfFirst = rules(first, 1).eras().get("q");
    long eraOfSecond = rules(second, 1).eras().get("q");
    held(0, eraOfFirst, 1, 0, 5);
    first.expectNoMessage(Duration.ofMillis(1));

    held(1, eraOfSecond, 1, 0, 0);
    held(0, eraOfFirst, 1, 0, 5);

    assertThat(slots(first)).isEqualTo(new Dispatcher.Slots("q", eraOfFirst, 2));
    second.expectNoMessage(Duration.ofMillis(1));
  }

  @Test
  void grantWhatIsGivenBackToWhoeverWantsItInTurn() {
    open(limited(2));
    long eraOfFirst = rules(first, 1).eras().get("q");
    long eraOfSecond = rules(second, 1).eras().get("q");
    held(0, eraOfFirst, 0, 0, 9);
    held(1, eraOfSecond, 0, 0, 9);
    assertThat(slots(first).granted()).isEqualTo(1);
    assertThat(slots(second).granted()).isEqualTo(1);

    held(0, eraOfFirst, 1, 1, 8);
    assertThat(slots(first).granted()).isEqualTo(2);
    held(0, eraOfFirst, 2, 2, 7);

    assertThat(slots(second).granted()).isEqualTo(2);
  }

  @Test
  void grantNothingForWhatWasSaidOfAFormerEra() {
    open(limited(2));
    long era = rules(first, 1).eras().get("q");
    rules(second, 1);

    held(0, era - 1_000_000, 0, 0, 9);
    held(1, era - 1_000_000, 0, 0, 9);

    first.expectNoMessage(Duration.ofMillis(1));
  }

  @Test
  void sayAgainWhatWasGrantedUntilItIsHeard() {
    open(limited(2));
    long eraOfFirst = rules(first, 1).eras().get("q");
    long eraOfSecond = rules(second, 1).eras().get("q");
    confirm(0, first, 1);
    confirm(1, second, 1);
    held(1, eraOfSecond, 0, 0, 0);
    held(0, eraOfFirst, 0, 0, 2);
    assertThat(slots(first).granted()).isEqualTo(2);

    actors.pass(REPEAT);
    assertThat(slots(first).granted()).isEqualTo(2);
    held(0, eraOfFirst, 2, 0, 0);
    actors.pass(REPEAT);

    first.expectNoMessage(Duration.ofMillis(1));
  }

  /// The slots of a partition's former dispatcher are unknown until its successor reports them.
  @Test
  void countAnewWhenAPartitionHasANewDispatcher() {
    open(limited(2));
    rules(first, 1);
    long eraOfSecond = rules(second, 1).eras().get("q");
    var third = actors.probe(Dispatcher.Command.class);
    queues.tell(new Queues.Hello(0, third.ref()));
    long eraOfThird = rules(third, 1).eras().get("q");

    held(1, eraOfSecond, 0, 0, 2);
    second.expectNoMessage(Duration.ofMillis(1));
    held(0, eraOfThird, 1, 0, 0);
    held(1, eraOfSecond, 0, 0, 2);

    assertThat(slots(second).granted()).isEqualTo(1);
  }

  @Test
  void tellTheirRules() {
    var reader = actors.probe(Queues.Current.class);
    open(limited(2));

    queues.tell(new Queues.GetRules(reader.ref()));

    assertThat(reader.receiveMessage().rules()).isEqualTo(Map.of("q", rule(false, 2)));
  }

  private void open(QueuesState state) {
    queues.tell(new Queues.Restored(state, ledger.ref()));
    queues.tell(new Queues.Hello(0, first.ref()));
    queues.tell(new Queues.Hello(1, second.ref()));
  }

  private static QueuesState limited(int limit) {
    return QueuesState.NONE.apply(new QueueFact.RuleSet("q", rule(false, limit), Instant.EPOCH));
  }

  private static QueueRule rule(boolean paused, Integer limit) {
    return new QueueRule(paused, limit);
  }

  private static Queues.Done done(boolean paused, Integer limit) {
    return new Queues.Done("q", rule(paused, limit));
  }

  private void change(Queues.Setting setting) {
    queues.tell(new Queues.Change("q", setting, requester.ref()));
  }

  /// Makes the pending change durable.
  private void commit() {
    var append = ledger.expectMessageClass(Ledger.Append.class);
    var fact = (QueueFact) append.facts().getFirst().event();
    append.sender().tell(new Ledger.Committed(QueuesState.NONE.apply(fact), List.of()));
  }

  private void confirm(int partition, TestProbe<Dispatcher.Command> by, long version) {
    queues.tell(new Queues.Confirmed(partition, by.ref(), version));
  }

  private void held(int partition, long era, long granted, long returned, int wanted) {
    queues.tell(new Queues.SlotsHeld(partition, "q", era, granted, returned, wanted));
  }

  private static Dispatcher.Rules rules(TestProbe<Dispatcher.Command> at, long version) {
    var rules = at.expectMessageClass(Dispatcher.Rules.class);
    return rules.version() == version ? rules : rules(at, version);
  }

  private static Dispatcher.Slots slots(TestProbe<Dispatcher.Command> at) {
    return at.expectMessageClass(Dispatcher.Slots.class);
  }
}
