package dev.handoff.internal.plan;

import static dev.handoff.internal.plan.PlanSamples.change;
import static dev.handoff.internal.plan.PlanSamples.draft;
import static dev.handoff.internal.plan.PlanSamples.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.ledger.EntityState;
import dev.handoff.internal.ledger.Ledger;
import dev.handoff.plan.PlanInfo;
import dev.handoff.testing.BoundedWaits;
import dev.handoff.testing.BrokenRef;
import dev.handoff.testing.TestActors;
import dev.handoff.testing.UnloggableFailure;
import java.time.Duration;
import java.util.AbstractList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A plan whose actor fails")
class PlanCrashTest {

  @RegisterExtension static final TestActors actors = TestActors.inManualTime();

  private final PlanHarness harness = new PlanHarness(actors);

  private void live() {
    harness.live(draft(step("a")));
    harness.nextOrder();
    harness.letAdvance();
  }

  /// Answers an append with a state that makes the plan crash.
  private static void fail(Ledger.Append append) {
    append.sender().tell(new Ledger.Committed(null, List.of()));
  }

  private void expectTurnedAway() {
    assertThat(harness.caller.expectMessageClass(PlanReply.Unavailable.class).reason())
        .contains("failed and starts anew");
  }

  @Test
  void saysSoToItsPartitionAndTurnsAwayWhoeverWaits() {
    live();
    harness.plan.tell(new Plan.Watch(harness.caller.ref()));
    harness.order(new PlanCommand.StartChangeset("mine", "ann"));
    var append = harness.append();
    harness.order(new PlanCommand.StartChangeset("next", "ann"));
    harness.state();

    fail(append);

    var crashed = harness.partition.expectMessageClass(PlanNotice.Crashed.class);
    assertThat(crashed.plan()).isEqualTo(harness.id);
    assertThat(crashed.actor()).isEqualTo(harness.plan);
    assertThat(crashed.cause()).contains("the ledger does not know plan");
    for (int i = 0; i < 3; i++) {
      expectTurnedAway();
    }
  }

  @Test
  void turnsAwayTheMessageThatItFailedAtAndWhatComesLater() {
    live();
    harness.clock.breakDown();

    harness.order(new PlanCommand.Cancel("not needed", "ann"));

    expectTurnedAway();
    harness.plan.tell(new Plan.Get(harness.caller.ref()));
    harness.plan.tell(new Plan.Check("/x", harness.caller.ref()));
    harness.plan.tell(new Plan.Moved(harness.durable()));
    expectTurnedAway();
    expectTurnedAway();
    assertThat(harness.partition.expectMessageClass(PlanNotice.Crashed.class).cause())
        .contains("the clock is broken");
  }

  @Test
  void turnsAwayWhoeverClosesAChangesetAndWhoeverApplies() {
    live();
    harness.order(new PlanCommand.StartChangeset("mine", "ann"));
    harness.commit();
    harness.order(new PlanCommand.Record("c1", List.of(change("a.txt"))));
    harness.commit();
    harness.order(new PlanCommand.Close("c1"));
    BoundedWaits.take(harness.kept).done().complete("b".repeat(64));
    harness.commit();
    harness.order(new PlanCommand.Apply("/srv"));
    harness.commit();
    harness.caller.receiveSeveralMessages(3);
    harness.order(new PlanCommand.StartChangeset("other", "ann"));
    harness.commit();
    harness.answer();
    harness.order(new PlanCommand.Close("c2"));
    var kept = BoundedWaits.take(harness.kept);
    harness.clock.breakDown();
    var other = actors.probe(PlanReply.class);
    harness.plan.tell(new Plan.Check("/y", other.ref()));

    for (int i = 0; i < 2; i++) {
      expectTurnedAway();
    }
    other.expectMessageClass(PlanReply.Unavailable.class);
    kept.done().complete("b".repeat(64));
    harness.partition.expectMessageClass(PlanNotice.Crashed.class);
  }

  @Test
  void turnsAwayWhatHasWaitedWithWhatItFailsAt() {
    live();
    harness.order(new PlanCommand.StartChangeset("first", "ann"));
    var append = harness.append();
    harness.order(new PlanCommand.StartChangeset("second", "ann"));
    harness.order(new PlanCommand.Close("c7"));
    harness.order(new PlanCommand.StartChangeset("third", "ann"));
    harness.state();
    harness.clock.breakDown();

    harness.commit(append);

    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Started("c1"));
    for (int i = 0; i < 3; i++) {
      expectTurnedAway();
    }
  }

  @Test
  void isRetiredAfterAWhile() {
    live();
    harness.clock.breakDown();
    harness.order(new PlanCommand.Cancel("not needed", "ann"));
    expectTurnedAway();

    actors.pass(Duration.ofMinutes(1));

    harness.partition.expectTerminated(harness.plan);
  }

  @Test
  void isGivenUpWithItsCause() {
    live();
    harness.plan.tell(new Plan.GiveUp("its actor failed 3 times"));
    harness.plan.tell(new Plan.GiveUp("its actor failed 3 times"));
    harness.expectFacts(harness.commit(), PlanFact.StopRequested.class);
    harness.job("a", new dev.handoff.internal.job.JobCommand.Cancel("given up", "plan"));

    harness.expectFacts(harness.commit(), PlanFact.Ended.class);

    assertThat(harness.durable().phase())
        .isEqualTo(new PlanPhase.Failed("its actor failed 3 times", PlanSamples.NOW));
    assertThat(harness.durable().steps().find("a").orElseThrow().status())
        .isEqualTo(PlanInfo.StepStatus.CANCELLED);
  }

  /// States whose reading throws, so that the plan cannot tell its partition.
  private static List<EntityState> unreadable() {
    return new AbstractList<>() {
      @Override
      public EntityState get(int index) {
        throw new StackOverflowError("deep");
      }

      @Override
      public int size() {
        return 1;
      }
    };
  }

  @Test
  void isAcceptedAllTheSameIfItFailsThen() {
    harness.submitted(draft(step("a")));
    var append = harness.append();

    var durable = harness.committed(append);
    append.sender().tell(new Ledger.Committed(durable.state(), unreadable()));

    harness.caller.expectMessage(new PlanReply.Accepted(harness.id));
    var crashed = harness.partition.expectMessageClass(PlanNotice.Crashed.class);
    assertThat(crashed.plan()).isEqualTo(harness.id);
    assertThat(crashed.actor()).isEqualTo(harness.plan);
    assertThat(crashed.cause()).contains("StackOverflowError: deep");
  }

  @Test
  void goesOnTellingWhoeverWaitsAfterAnErrorInThat() {
    var broken = BrokenRef.<PlanReply>once(actors.system());
    live();
    harness.plan.tell(new Plan.Do(new PlanCommand.StartChangeset("mine", "ann"), broken.typed()));
    var append = harness.append();
    harness.order(new PlanCommand.StartChangeset("next", "ann"));
    harness.state();

    fail(append);

    assertThat(broken.next()).isInstanceOf(PlanReply.Unavailable.class);
    expectTurnedAway();
    harness.partition.expectMessageClass(PlanNotice.Crashed.class);
  }

  /// The first answer of a group fails; the others must still be sent.
  @Test
  void tellsTheRestOfAGroupAfterAnErrorInItsFirstAnswer() {
    var broken = BrokenRef.<PlanReply>once(actors.system());
    live();
    harness.order(new PlanCommand.StartChangeset("first", "ann"));
    var append = harness.append();
    harness.plan.tell(new Plan.Do(new PlanCommand.StartChangeset("second", "ann"), broken.typed()));
    harness.order(new PlanCommand.StartChangeset("third", "ann"));
    harness.commit(append);
    assertThat(harness.answer()).isEqualTo(new PlanAnswer.Started("c1"));

    harness.commit();

    expectTurnedAway();
    assertThat(broken.next()).isInstanceOf(PlanReply.Unavailable.class);
  }

  @Test
  void tellsTheRestOfAGroupAfterAnErrorInItsFirstRefusal() {
    var broken = BrokenRef.<PlanReply>once(actors.system());
    live();
    harness.plan.tell(new Plan.Do(new PlanCommand.StartChangeset("mine", "ann"), broken.typed()));
    var append = harness.append();

    append.sender().tell(new Ledger.Unavailable("away", Duration.ofSeconds(1)));

    assertThat(broken.next()).isInstanceOf(PlanReply.Unavailable.class);
  }

  @Test
  void tellsWhoeverWaitsAlsoIfItCannotBeLogged() {
    live();
    harness.clock.breakDown(new UnloggableFailure());

    harness.order(new PlanCommand.Cancel("not needed", "ann"));

    expectTurnedAway();
    harness.partition.expectMessageClass(PlanNotice.Crashed.class);
  }

  @Test
  void saysThatNobodyKnowsWhoWaitsIfItCannotTellThem() {
    var broken = BrokenRef.<PlanReply>always(actors.system());
    live();
    harness.plan.tell(new Plan.Watch(broken.typed()));
    harness.state();
    harness.clock.breakDown();

    harness.order(new PlanCommand.Cancel("not needed", "ann"));

    harness.partition.expectMessageClass(PlanNotice.Crashed.class);
    harness.partition.expectMessageClass(PlanNotice.Crashed.class);
    harness.partition.expectMessage(PlanNotice.Disorder.INSTANCE);
  }
}
