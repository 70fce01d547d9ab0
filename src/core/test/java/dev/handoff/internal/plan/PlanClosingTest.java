package dev.handoff.internal.plan;

import static dev.handoff.internal.plan.PlanSamples.change;
import static dev.handoff.internal.plan.PlanSamples.draft;
import static dev.handoff.internal.plan.PlanSamples.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.handoff.internal.plan.change.ChangeEntry;
import dev.handoff.internal.plan.change.Changeset;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.TestActors;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("While changesets are being closed")
class PlanClosingTest {

  @RegisterExtension static final TestActors actors = TestActors.inManualTime();

  private static final String ONE = "1".repeat(64);
  private static final String TWO = "2".repeat(64);

  private final PlanHarness harness = new PlanHarness(actors, 2_000);

  @BeforeEach
  void open() {
    harness.live(draft(step("a")));
    harness.nextOrder();
    for (int set = 1; set <= 3; set++) {
      order(new PlanCommand.StartChangeset("mine", "ann"));
      assertThat(harness.answer()).isEqualTo(new PlanAnswer.Started("c" + set));
    }
    order(record("c1", "one.txt"));
    order(record("c2", "two.txt"));
    harness.answer();
    harness.answer();
  }

  private void order(PlanCommand command) {
    harness.order(command);
    harness.commit();
  }

  private static PlanCommand record(String set, String path) {
    return new PlanCommand.Record(set, List.of(change(path)));
  }

  private static PlanCommand close(String set) {
    return new PlanCommand.Close(set);
  }

  private PlanHarness.Kept next(String path) {
    var kept = BoundedWaits.take(harness.kept);
    assertThat(kept.body().entries()).extracting(ChangeEntry::path).containsExactly(path);
    return kept;
  }

  @Test
  void theyAreStoredTogetherAndCommittedInTheOrderOfTheirClosing() {
    harness.order(close("c1"));
    harness.order(close("c2"));
    var first = next("one.txt");
    var second = next("two.txt");

    second.done().complete(TWO);
    harness.expectSilence();
    first.done().complete(ONE);
    harness.commit();

    assertThat(harness.state().book().chain())
        .extracting(Changeset::id, Changeset::body)
        .containsExactly(tuple("c1", ONE), tuple("c2", TWO));
    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Done());
    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Done());
  }

  @Test
  void theOneThatCannotBeStoredHoldsUpNoOther() {
    harness.order(close("c1"));
    harness.order(close("c2"));
    var first = next("one.txt");
    next("two.txt").done().complete(TWO);
    harness.expectSilence();

    first.done().completeExceptionally(new IllegalStateException("disk is full"));
    harness.commit();

    harness.caller.expectMessageClass(PlanReply.Unavailable.class);
    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Done());
    assertThat(harness.state().book().chain()).extracting(Changeset::id).containsExactly("c2");
    assertThat(harness.state().book().open("c1")).isPresent();
  }

  @Test
  void changesOfOthersAreTaken() {
    harness.order(close("c1"));
    var kept = next("one.txt");

    order(record("c3", "three.txt"));
    order(new PlanCommand.StartChangeset("next", "bob"));

    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Recorded("c3", 1));
    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Started("c4"));
    kept.done().complete(ONE);
    harness.commit();
    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Done());
  }

  /// The latest changeset, and the changes to apply, can depend on the changeset being closed.
  @Test
  void whatHasToDoWithThemWaits() {
    harness.order(close("c1"));
    var kept = next("one.txt");
    harness.order(new PlanCommand.Apply("/site"));
    harness.order(record("c3", "three.txt"));
    harness.expectSilence();

    kept.done().complete(ONE);

    harness.commit();
    var apply = harness.append();
    assertThat(apply.facts())
        .anySatisfy(
            fact ->
                assertThat(fact.event())
                    .isInstanceOfSatisfying(
                        PlanFact.ApplyStarted.class,
                        begun -> assertThat(begun.apply().sets()).isEqualTo(1)));
  }

  @Test
  void aCancelIsTakenAtOnceAndTheyAreNotClosedAnyMore() {
    harness.order(close("c1"));
    var kept = next("one.txt");

    harness.order(new PlanCommand.Cancel("not needed", "bob"));

    harness.expectFacts(harness.commit(), PlanFact.StopRequested.class);
    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Done());
    kept.done().complete(ONE);
    assertThat(harness.answer())
        .isEqualTo(new PlanAnswer.Declined("the plan is being stopped: it takes no more changes"));
    assertThat(harness.state().book().chain()).isEmpty();
  }

  @Test
  void whatIsNotDurableYetIsNotStored() {
    harness.order(record("c2", "late.txt"));
    var late = harness.append();
    harness.order(record("c1", "later.txt"));
    harness.order(close("c1"));
    harness.order(close("c2"));
    harness.state();
    harness.commit(late);
    var later = harness.append();
    assertThat(harness.kept).isEmpty();

    harness.commit(later);

    assertThat(BoundedWaits.take(harness.kept).body().entries())
        .extracting(ChangeEntry::path)
        .containsExactly("one.txt", "later.txt");
    assertThat(BoundedWaits.take(harness.kept).body().entries())
        .extracting(ChangeEntry::path)
        .containsExactly("two.txt", "late.txt");
  }

  private void openAsManyAsMayBe() {
    for (int set = 4; set <= ChangeLedger.MOST_OPEN_SETS; set++) {
      harness.order(new PlanCommand.StartChangeset("more", "ann"));
    }
    while (harness.state().book().open().size() < ChangeLedger.MOST_OPEN_SETS) {
      harness.commit();
    }
    for (int set = 4; set <= ChangeLedger.MOST_OPEN_SETS; set++) {
      assertThat(harness.answer()).isInstanceOf(PlanAnswer.Started.class);
    }
  }

  @Test
  void whatIsFullMayHaveRoomThen() {
    openAsManyAsMayBe();
    harness.order(close("c1"));
    harness.order(new PlanCommand.StartChangeset("one more", "ann"));
    harness.expectSilence();

    next("one.txt").done().complete(ONE);
    harness.commit();

    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Done());
    assertThat(harness.answer())
        .isEqualTo(new PlanAnswer.Started("c" + (ChangeLedger.MOST_OPEN_SETS + 1)));
  }

  @Test
  void aCancelIsTakenAtOnceAlsoBehindWhatIsFull() {
    openAsManyAsMayBe();
    harness.order(close("c1"));
    harness.order(new PlanCommand.StartChangeset("one more", "ann"));
    harness.expectSilence();

    harness.order(new PlanCommand.Cancel("not needed", "bob"));

    harness.expectFacts(harness.commit(), PlanFact.StopRequested.class);
    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Done());
    assertThat(harness.answer()).isInstanceOf(PlanAnswer.Declined.class);
  }

  /// A cancel does not wait behind a waiting change.
  @Test
  void aCancelIsTakenAtOnceAlsoBehindWhatHasToWait() {
    harness.order(close("c1"));
    next("one.txt");
    harness.order(record("c1", "late.txt"));
    harness.order(new PlanCommand.Resolve(PlanSamples.resolution("a.txt")));

    harness.order(new PlanCommand.Cancel("not needed", "bob"));

    harness.expectFacts(harness.commit(), PlanFact.StopRequested.class);
    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Done());
  }

  @Test
  void aRefusalOfOthersHoldsUpNothing() {
    harness.order(record("c3", "three.txt"));
    var busy = harness.append();
    harness.order(new PlanCommand.Discard("c3"));
    harness.order(record("c1", "late.txt"));
    harness.order(close("c2"));
    harness.state();
    harness.commit(busy);
    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Recorded("c3", 1));
    var both = harness.append();
    harness.expectFacts(both, PlanFact.ChangesetDiscarded.class, PlanFact.ChangesRecorded.class);
    var kept = next("two.txt");

    harness.refuse(both);
    harness.expectSilence();
    kept.done().complete(TWO);

    harness.expectFacts(harness.commit(), PlanFact.ChangesetClosed.class);
    harness.expectFacts(harness.commit(), PlanFact.ChangesetDiscarded.class);
    harness.expectFacts(harness.commit(), PlanFact.ChangesRecorded.class);
    for (var expected :
        List.of(new PlanAnswer.Done(), new PlanAnswer.Done(), new PlanAnswer.Recorded("c1", 2))) {
      assertThat(harness.answer()).isEqualTo(expected);
    }
  }

  @Test
  void aReasonIsSaidWithoutTheNameOfAClass() {
    harness.order(close("c1"));

    next("one.txt")
        .done()
        .completeExceptionally(
            new CompletionException(new IllegalStateException("the disk is full")));

    assertThat(harness.caller.expectMessageClass(PlanReply.Unavailable.class).reason())
        .isEqualTo("the changeset cannot be stored now: the disk is full");
  }

  @Test
  void oneThatTheStoreRefusesHoldsUpNoOther() {
    harness.order(close("c1"));
    harness.order(close("c2"));
    var first = next("one.txt");
    var second = next("two.txt");
    harness.order(record("c3", "three.txt"));
    var busy = harness.append();
    first.done().complete(ONE);
    second.done().complete(TWO);
    harness.commit(busy);
    var both = harness.append();
    harness.expectFacts(both, PlanFact.ChangesetClosed.class, PlanFact.ChangesetClosed.class);

    harness.refuse(both);
    harness.refuse(harness.append());
    harness.commit();

    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Recorded("c3", 1));
    harness.caller.expectMessageClass(PlanReply.Refused.class);
    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Done());
    assertThat(harness.state().book().chain()).extracting(Changeset::id).containsExactly("c2");
  }
}
