package dev.handoff.internal.plan;

import static dev.handoff.internal.plan.PlanSamples.change;
import static dev.handoff.internal.plan.PlanSamples.draft;
import static dev.handoff.internal.plan.PlanSamples.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.plan.PlanStatus;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.TestActors;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A changeset that a caller has opened")
class PlanChangesetTest {

  @RegisterExtension static final TestActors actors = TestActors.inManualTime();

  private static final String BODY = "b".repeat(64);

  private final PlanHarness harness = new PlanHarness(actors);

  @BeforeEach
  void open() {
    harness.live(draft(step("a")));
    harness.nextOrder();
    harness.order(new PlanCommand.StartChangeset("mine", "ann"));
    harness.commit();
    harness.order(record("a.txt"));
    harness.commit();
    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Started("c1"));
    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Recorded("c1", 1));
  }

  private static PlanCommand record(String path) {
    return new PlanCommand.Record("c1", List.of(change(path)));
  }

  @Test
  void isStoredBeforeItIsCommitted() {
    harness.order(new PlanCommand.Close("c1"));
    var kept = BoundedWaits.take(harness.kept);
    harness.expectSilence();
    assertThat(kept.owner()).isEqualTo(harness.id);
    assertThat(kept.body().entries()).extracting(entry -> entry.path()).containsExactly("a.txt");

    kept.done().complete(BODY);

    var append = harness.append();
    harness.expectFacts(append, PlanFact.ChangesetClosed.class);
    harness.expectSilence();
    harness.commit(append);
    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Done());
    assertThat(harness.state().book().chain())
        .singleElement()
        .satisfies(
            link -> {
              assertThat(link.id()).isEqualTo("c1");
              assertThat(link.body()).isEqualTo(BODY);
              assertThat(link.changes()).isEqualTo(1);
              assertThat(link.by().caller()).isEqualTo("ann");
            });
  }

  @Test
  void takesNothingThatComesBehindItsClosing() {
    harness.order(new PlanCommand.StartChangeset("next", "bob"));
    harness.commit();
    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Started("c2"));
    harness.order(record("before.txt"));
    var before = harness.append();
    harness.order(new PlanCommand.Close("c1"));
    harness.order(record("behind.txt"));
    harness.order(new PlanCommand.Close("c1"));
    harness.state();
    harness.commit(before);
    var kept = BoundedWaits.take(harness.kept);
    assertThat(kept.body().entries()).hasSize(2);

    kept.done().complete(BODY);
    harness.commit();

    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Recorded("c1", 2));
    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Done());
    assertThat(harness.answer()).isEqualTo(new PlanAnswer.ChangesetClosed("c1", true));
    assertThat(harness.answer()).isEqualTo(new PlanAnswer.ChangesetClosed("c1", true));
    assertThat(harness.state().book().open())
        .singleElement()
        .satisfies(set -> assertThat(set.entries()).isEmpty());
  }

  @Test
  void staysOpenIfItCannotBeStored() {
    harness.order(new PlanCommand.Close("c1"));
    harness.order(record("behind.txt"));
    BoundedWaits.take(harness.kept)
        .done()
        .completeExceptionally(new IllegalStateException("disk is full"));

    assertThat(harness.caller.expectMessageClass(PlanReply.Unavailable.class).reason())
        .isEqualTo("the changeset cannot be stored now: disk is full");
    harness.commit();
    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Recorded("c1", 2));
  }

  @Test
  void cannotBeClosedIfThereIsNoSuchThing() {
    harness.order(new PlanCommand.Close("c9"));
    harness.order(new PlanCommand.Close("nonsense"));

    assertThat(harness.answer()).isEqualTo(new PlanAnswer.UnknownChangeset("c9"));
    assertThat(harness.answer()).isEqualTo(new PlanAnswer.UnknownChangeset("nonsense"));
  }

  @Test
  void keepsItsPlanFromEnding() {
    harness.succeed("a");
    harness.expectSilence();

    harness.order(new PlanCommand.Discard("c1"));
    harness.commit();

    harness.expectFacts(harness.commit(), PlanFact.Ended.class);
    assertThat(harness.durable().status()).isEqualTo(PlanStatus.SUCCEEDED);
  }

  @Test
  void endsWithAPlanThatIsStoppedWhileItIsBeingClosed() {
    harness.order(new PlanCommand.Close("c1"));
    var kept = BoundedWaits.take(harness.kept);
    harness.order(new PlanCommand.Cancel("not needed", "bob"));
    harness.state();
    kept.done().completeExceptionally(new IllegalStateException("disk is full"));
    harness.commit();
    harness.caller.expectMessageClass(PlanReply.Unavailable.class);
    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Done());

    harness.job("a", new dev.handoff.internal.job.JobCommand.Cancel("not needed", "plan"));

    harness.expectFacts(harness.commit(), PlanFact.Ended.class);
    assertThat(harness.durable().book().open()).isEmpty();
    harness.order(record("late.txt"));
    assertThat(harness.answer()).isEqualTo(new PlanAnswer.ChangesetClosed("c1", false));
  }

  @Test
  void letsAPlanThatFailsFastEndThoughItCouldNotBeStored() {
    var fast = new PlanHarness(actors).live(draft(1, true, step("a")));
    fast.order(new PlanCommand.StartChangeset("mine", "ann"));
    fast.commit();
    fast.order(new PlanCommand.Close("c1"));
    var kept = BoundedWaits.take(fast.kept);
    fast.fail("a");
    fast.state();
    fast.ledger.expectNoMessage(Duration.ofMillis(10));

    kept.done().completeExceptionally(new IllegalStateException("disk is full"));

    fast.expectFacts(fast.commit(), PlanFact.Ended.class);
  }
}
