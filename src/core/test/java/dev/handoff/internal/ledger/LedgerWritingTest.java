package dev.handoff.internal.ledger;

import static dev.handoff.internal.ledger.CounterEntities.added;
import static dev.handoff.internal.ledger.CounterEntities.closed;
import static dev.handoff.internal.ledger.CounterEntities.counter;
import static dev.handoff.internal.ledger.CounterEntities.id;
import static dev.handoff.internal.ledger.CounterEntities.padded;
import static dev.handoff.internal.ledger.LedgerHarness.amounts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.store.WriteResult;
import dev.handoff.testing.HandStore;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A ledger")
class LedgerWritingTest {

  @RegisterExtension static final TestActors actors = TestActors.inRealTime();

  private final LedgerHarness harness = LedgerHarness.open(actors);
  private final HandStore store = harness.store;
  private final String one = id(1);
  private final String two = id(2);

  @Test
  void writesAtOnceWhenItIsIdle() {
    harness.append(added(one, 1));

    var batch = store.nextWrite().question();

    assertThat(amounts(batch)).containsExactly(1);
    assertThat(batch.seq()).isEqualTo(1);
    assertThat(batch.incarnation()).isEqualTo(7);
  }

  @Test
  void makesOneBatchOfWhatWaits() {
    harness.append(added(one, 1));
    var first = store.nextWrite();
    harness.append(added(two, 2));
    harness.append(added(one, 3), added(one, 4));
    harness.settle();
    store.expectNothing();

    first.answer(new WriteResult.Written(1));

    var second = store.nextWrite().question();
    assertThat(amounts(second)).containsExactly(2, 3, 4);
    assertThat(second.seq()).isEqualTo(2);
  }

  @Test
  void answersNothingBeforeTheStoreDoes() {
    var fate = harness.append(added(one, 1));
    var write = store.nextWrite();
    harness.settle();
    fate.isOpen();
    harness.partition.expectNoMessage(Duration.ofMillis(50));
    assertThat(harness.settle()).isEmpty();

    write.answer(new WriteResult.Written(1));

    fate.is(new Ledger.Committed(counter(one, 1, 1), List.of()));
    harness.partition.expectMessage(
        new LedgerNotice.Published(
            List.of(new LedgerNotice.Folded(counter(one, 1, 1), new CounterEntities.Added(1)))));
    assertThat(harness.settle()).containsExactly(counter(one, 1, 1));
  }

  @Test
  void answersInTheOrderOfArrival() {
    var fate = new AppendFate();
    harness.append(fate, added(one, 1));
    var first = store.nextWrite();
    harness.append(fate, added(one, 2));
    harness.append(fate, added(one, 3));

    first.answer(new WriteResult.Written(1));
    store.write();

    fate.is(new Ledger.Committed(counter(one, 1, 1), List.of()));
    fate.is(new Ledger.Committed(counter(one, 2, 1, 2), List.of()));
    fate.is(new Ledger.Committed(counter(one, 3, 1, 2, 3), List.of()));
  }

  @Test
  void tellsTheStatesOfOthersThatAnAppendIsAbout() {
    var fate = harness.append(added(one, 1), added(two, 2));
    store.write();

    fate.is(new Ledger.Committed(counter(one, 1, 1), List.of(counter(two, 1, 2))));
  }

  @Test
  void leavesOutFactsThatAreAboutNobody() {
    var fate = harness.append(added(one, Integer.MIN_VALUE));
    store.write();

    fate.is(new Ledger.Committed(null, List.of()));
    harness.settle();
    harness.partition.expectNoMessage(Duration.ofMillis(20));
  }

  @Test
  void forgetsWhatHasEnded() {
    harness.append(added(one, 1));
    store.write();
    var fate = new AppendFate();
    harness.ledger.tell(
        new Ledger.Append(
            one, List.of(closed(one)), List.of(CounterEntities.row(one)), List.of(), fate));

    var batch = store.write();

    assertThat(batch.ended()).extracting(row -> row.id()).containsExactly(one);
    assertThat(fate.next())
        .isInstanceOfSatisfying(
            Ledger.Committed.class, told -> assertThat(told.state().ended()).isTrue());
    assertThat(harness.settle()).isEmpty();
  }

  @Test
  void handsOverWhatLeavesHistory() {
    var fate = new AppendFate();
    harness.ledger.tell(
        new Ledger.Append(one, List.of(added(one, 1)), List.of(), List.of(one), fate));

    assertThat(store.write().reopened()).containsExactly(one);
  }

  @Test
  void closesABatchAtItsNumberOfFacts() {
    harness.append(added(one, 0));
    var first = store.nextWrite();
    for (int i = 1; i <= 7; i++) {
      harness.append(added(one, i));
    }
    harness.settle();
    first.answer(new WriteResult.Written(1));

    assertThat(amounts(store.write())).containsExactly(1, 2, 3, 4, 5);
    assertThat(amounts(store.write())).containsExactly(6, 7);
  }

  @Test
  void closesABatchAtItsSize() throws Exception {
    harness.append(added(one, 0));
    var first = store.nextWrite();
    for (int i = 0; i < 3; i++) {
      harness.append(padded(one, 1_500));
    }
    harness.settle();
    first.answer(new WriteResult.Written(1));

    assertThat(RowFormat.read(store.write().facts())).hasSize(2);
    assertThat(RowFormat.read(store.write().facts())).hasSize(1);
  }

  @Test
  void neverSplitsAnAppend() throws Exception {
    var facts = IntStream.range(0, 12).mapToObj(i -> added(one, i)).toArray(Fact[]::new);

    harness.append(facts);

    assertThat(RowFormat.read(store.write().facts())).hasSize(12);
  }

  @Test
  void refusesAnAppendThatIsTooLarge() {
    var fate = harness.append(padded(one, 9_000));

    assertThat(fate.next())
        .isInstanceOfSatisfying(
            Ledger.Refused.class, refused -> assertThat(refused.reason()).contains("at most 8192"));
    harness.settle();
    store.expectNothing();
  }

  @Test
  void refusesTheOneBadAppendAndWritesTheOthers() {
    harness.append(added(one, 0));
    var first = store.nextWrite();
    var fates = new ArrayList<AppendFate>();
    for (int i = 1; i <= 5; i++) {
      fates.add(harness.append(added(one, i)));
    }
    harness.settle();
    first.answer(new WriteResult.Written(1));

    var written = new ArrayList<Integer>();
    while (written.size() < 4) {
      var call = store.nextWrite();
      if (amounts(call.question()).contains(3)) {
        call.answer(new WriteResult.Refused("3 cannot be stored"));
      } else {
        written.addAll(amounts(call.question()));
        call.answer(new WriteResult.Written(call.question().seq()));
      }
    }

    assertThat(written).containsExactly(1, 2, 4, 5);
    for (int i = 1; i <= 5; i++) {
      var reply = fates.get(i - 1).next();
      if (i == 3) {
        assertThat(reply).isEqualTo(new Ledger.Refused("3 cannot be stored"));
      } else {
        assertThat(reply).isInstanceOf(Ledger.Committed.class);
      }
    }
  }

  @Test
  void finishesTheHalvesOfARefusedBatchBeforeAnythingNew() {
    harness.append(added(one, 0));
    var first = store.nextWrite();
    harness.append(added(one, 1));
    harness.append(added(one, 2));
    harness.settle();
    first.answer(new WriteResult.Written(1));
    var refused = store.nextWrite();
    harness.append(added(one, 3));
    harness.settle();

    refused.answer(new WriteResult.Refused("somebody in there"));

    assertThat(amounts(store.write())).containsExactly(1);
    assertThat(amounts(store.write())).containsExactly(2);
    assertThat(amounts(store.write())).containsExactly(3);
  }

  @Test
  void writesTheVerySameBatchAgainWhenTheStoreWasAway() {
    var fate = harness.append(added(one, 1));
    var lost = store.nextWrite();
    lost.answer(HandStore.away("the connection was lost"));
    harness.partition.expectMessage(new LedgerNotice.StoreAway("the connection was lost"));
    harness.append(added(one, 2));

    var again = store.nextWrite();
    assertThat(again.question()).isSameAs(lost.question());
    again.answer(HandStore.away("still"));
    var third = store.nextWrite();
    assertThat(third.question()).isSameAs(lost.question());
    harness.settle();
    fate.isOpen();
    third.answer(new WriteResult.Written(1));

    fate.next(Ledger.Committed.class);
    harness.partition.expectMessageClass(LedgerNotice.Published.class);
    harness.partition.expectMessage(new LedgerNotice.StoreBack());
    assertThat(amounts(store.nextWrite().question())).containsExactly(2);
  }

  @Test
  void takesAFailureWithoutAnAnswerForAnOutage() {
    harness.append(added(one, 1));
    var lost = store.nextWrite();

    lost.fail(new CompletionException(new IllegalStateException("a bug of the store")));

    harness.partition.expectMessage(new LedgerNotice.StoreAway("a bug of the store"));
    assertThat(store.nextWrite().question()).isSameAs(lost.question());
  }

  @Test
  void findsOutWhetherTheStoreIsAway() {
    harness.probe();
    var probe = store.nextWrite();
    assertThat(amounts(probe.question())).isEmpty();
    probe.answer(HandStore.away("unplugged"));
    harness.partition.expectMessage(new LedgerNotice.StoreAway("unplugged"));
    var fate = harness.append(added(one, 1));

    var again = store.nextWrite();
    assertThat(again.question()).isSameAs(probe.question());
    again.answer(new WriteResult.Written(1));

    harness.partition.expectMessage(new LedgerNotice.StoreBack());
    assertThat(amounts(store.write())).containsExactly(1);
    fate.next(Ledger.Committed.class);
  }

  @Test
  void asksNothingMoreOfTheStoreThanTheWriteThatIsUnderWay() {
    var fate = harness.append(added(one, 1));
    var write = store.nextWrite();

    harness.probe();
    harness.settle();

    store.expectNothing();
    write.answer(new WriteResult.Written(1));
    fate.next(Ledger.Committed.class);
  }

  @Test
  void doesNotFindOutAgainAndAgain() {
    var patient = LedgerHarness.open(actors, LedgerHarness.patient(), Runnable::run);
    patient.probe();
    patient.store.write();
    patient.settle();

    patient.probe();
    patient.settle();

    patient.store.expectNothing();
  }

  @Test
  void goesOnWhenTheStoreRefusesAWriteOfNothing() {
    harness.probe();
    store.nextWrite().answer(new WriteResult.Refused("no"));

    var fate = harness.append(added(one, 1));

    assertThat(amounts(store.write())).containsExactly(1);
    fate.next(Ledger.Committed.class);
  }

  @Test
  void neverWritesARefusedBatchAgain() {
    harness.append(added(one, 1));
    store.nextWrite().answer(new WriteResult.Refused("no"));
    harness.settle();
    harness.append(added(one, 2));
    var next = store.nextWrite();
    next.answer(HandStore.away("gone"));

    var again = store.nextWrite();

    assertThat(amounts(again.question())).containsExactly(2);
    assertThat(again.question().seq()).isEqualTo(1);
  }

  @Test
  void saysSoWhenTooMuchWaits() {
    harness.append(added(one, 1));
    store.nextWrite().answer(HandStore.away("gone"));
    var fates = new ArrayList<AppendFate>();
    for (int i = 0; i < 8; i++) {
      fates.add(harness.append(padded(one, 3_000)));
    }

    var unavailable = (Ledger.Unavailable) fates.get(7).next();

    assertThat(unavailable.reason()).isEqualTo("the store does not keep up");
    assertThat(unavailable.retryAfter()).isPositive();
    harness.settle();
    fates.getFirst().isOpen();
  }

  @Test
  void takesAppendsAgainWhenThereIsRoom() {
    harness.append(added(one, 0));
    store.write();
    harness.append(added(one, 0));
    var first = store.nextWrite();
    for (int i = 0; i < 10; i++) {
      harness.append(padded(one, 3_000));
    }
    first.answer(new WriteResult.Written(2));
    for (int i = 0; i < 6; i++) {
      store.write();
    }
    harness.settle();

    var fate = harness.append(added(two, 1));
    store.write();

    fate.next(Ledger.Committed.class);
  }

  /// Otherwise claims, reports and cancels would wait as long as submissions arrive.
  @Test
  void keepsRoomForWhatIsUnderWayWhenSubmissionsFillTheRest() {
    harness.append(added(one, 0));
    store.write();
    harness.append(added(one, 1));
    store.nextWrite();
    var submissions = new ArrayList<AppendFate>();
    for (int i = 0; i < 100; i++) {
      submissions.add(harness.append(added(id(100 + i), i)));
    }

    submissions.getLast().next(Ledger.Unavailable.class);
    var fates = new ArrayList<AppendFate>();
    for (int i = 0; i < 6; i++) {
      fates.add(harness.append(added(one, i)));
    }
    harness.settle();

    fates.forEach(AppendFate::isOpen);
    for (int i = 0; i < 6; i++) {
      fates.add(harness.append(added(one, i)));
    }
    fates.getLast().next(Ledger.Unavailable.class);
  }

  @Test
  void doesNotHoldMoreSmallAppendsThanFit() {
    harness.append(added(one, 0));
    store.nextWrite();
    AppendFate last = null;
    for (int i = 0; i < 100; i++) {
      last = harness.append(added(one, i));
    }

    last.next(Ledger.Unavailable.class);
  }

  @Test
  void stepsDownInSilenceWhenSomebodyElseOwnsThePartition() {
    var fate = harness.append(added(one, 1));
    var write = store.nextWrite();
    var waiting = harness.append(added(two, 2));
    harness.settle();

    write.answer(new WriteResult.Fenced("another engine"));

    harness.partition.expectMessage(new LedgerNotice.SteppedDown("another engine"));
    harness.partition.expectTerminated(harness.ledger, Duration.ofSeconds(10));
    fate.isOpen();
    waiting.isOpen();
    store.expectNothing();
  }

  @Test
  void answersAQuestionAfterEverythingBeforeIt() {
    harness.append(added(one, 1));
    var write = store.nextWrite();
    harness.append(added(one, 2));
    var question = harness.ask(one);
    harness.settle();
    question.isOpen();

    write.answer(new WriteResult.Written(1));
    store.write();

    question.is(new Ledger.Committed(counter(one, 2, 1, 2), List.of()));
  }

  @Test
  void writesNothingForQuestionsAlone() {
    harness.ask(two).is(new Ledger.Committed(null, List.of()));
    harness.settle();

    store.expectNothing();
  }

  @Test
  void takesNoNoticeOfWhatWasForItsRecovery() {
    harness.ledger.tell(Ledger.ReadAgain.INSTANCE);
    harness.ledger.tell(new Ledger.TookOver(null, new CompletionException(null)));
    harness.ledger.tell(new Ledger.PageRead(null, new CompletionException(null)));
    harness.append(added(one, 1));

    store.nextWrite().answer(new WriteResult.Written(1));

    harness.partition.expectMessageClass(LedgerNotice.Published.class);
  }
}
