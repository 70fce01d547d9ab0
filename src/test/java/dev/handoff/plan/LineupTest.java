package dev.handoff.plan;

import static dev.handoff.plan.PlanSamples.BODY;
import static dev.handoff.plan.PlanSamples.ID;
import static dev.handoff.plan.PlanSamples.NOW;
import static dev.handoff.plan.PlanSamples.change;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.handoff.plan.change.Entry;
import dev.handoff.store.HistoryRow;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The commands that wait for a plan")
class LineupTest {

  private static final PlanCommand SETTLE = new PlanCommand.Settle();
  private static final PlanCommand CANCEL = PlanSamples.cancel();
  private static final PlanCommand CLOSE = new PlanCommand.Close("c1");
  private static final PlanCommand APPLY = new PlanCommand.Apply("/srv");

  private final Lineup lineup = new Lineup();
  private final TestInbox<PlanReply> caller = TestInbox.create();
  private final Asker asker = new Asker(caller.getRef());

  private static OpenSet open(String id, int entries) {
    var set = OpenSet.empty(id, "mine", "ann", NOW);
    for (int i = 0; i < entries; i++) {
      var change = change("f" + i);
      set =
          set.plus(
              List.of(
                  Entry.after(
                      set.lastSeal(), change.path(), change.before(), change.after(), NOW)));
    }
    return set;
  }

  private Group.Waiting waiting(PlanCommand command) {
    return new Group.Waiting(command, asker, false);
  }

  private void begin(String set, int entries) {
    lineup.closings().begin(waiting(new PlanCommand.Close(set)), open(set, entries));
  }

  private static Group.Waiting commit(String set, int entries, Asker asker) {
    return new Group.Waiting(new PlanCommand.Commit(set, BODY, entries), asker, false);
  }

  @Test
  void goInTheirOrder() {
    assertThat(lineup.isEmpty()).isTrue();
    assertThat(lineup.peek()).isNull();
    lineup.add(CANCEL, asker);
    lineup.add(APPLY, asker);
    assertThat(lineup.size()).isEqualTo(2);
    assertThat(lineup.isEmpty()).isFalse();

    assertThat(lineup.peek()).isEqualTo(waiting(CANCEL));
    lineup.remove(waiting(CANCEL));
    assertThat(lineup.peek()).isEqualTo(waiting(APPLY));
    lineup.putBack(List.of(waiting(CLOSE), waiting(CANCEL)));

    assertThat(lineup.size()).isEqualTo(3);
    assertThat(lineup.peek()).isEqualTo(waiting(CLOSE));
    lineup.remove(waiting(CLOSE));
    assertThat(lineup.peek()).isEqualTo(waiting(CANCEL));
    assertThat(lineup.waiting()).containsExactly(asker, asker);
  }

  @Test
  void waitOnceIfThePlanAsksItself() {
    var own = new Group.Waiting(SETTLE, Asker.NOBODY, false);
    lineup.add(SETTLE, Asker.NOBODY);
    lineup.add(SETTLE, Asker.NOBODY);
    assertThat(lineup.size()).isEqualTo(1);
    lineup.add(CANCEL, asker);
    lineup.add(CANCEL, asker);
    assertThat(lineup.size()).as("two callers").isEqualTo(3);

    lineup.putBack(List.of(own));
    assertThat(lineup.size()).isEqualTo(3);
    lineup.remove(own);
    lineup.putBack(List.of(own));
    assertThat(lineup.size()).isEqualTo(3);
    assertThat(lineup.peek()).isEqualTo(own);
    lineup.remove(own);
    lineup.add(SETTLE, Asker.NOBODY);
    assertThat(lineup.size()).isEqualTo(3);
  }

  @Test
  void letACommitPassWhoseBodyIsStored() {
    begin("c1", 2);
    begin("c2", 1);
    lineup.add(CANCEL, asker);
    assertThat(lineup.isEmpty()).isFalse();
    assertThat(lineup.peek()).as("a cancel does not wait").isEqualTo(waiting(CANCEL));

    lineup.closings().stored("c2", BODY);
    lineup.closings().stored("c9", BODY);
    assertThat(lineup.peek()).as("c1 goes first").isEqualTo(waiting(CANCEL));
    lineup.closings().stored("c1", BODY);
    assertThat(lineup.peek()).isEqualTo(commit("c1", 2, asker));
    lineup.remove(lineup.peek());
    assertThat(lineup.peek()).isEqualTo(commit("c2", 1, asker));
    lineup.remove(lineup.peek());

    assertThat(lineup.peek()).isEqualTo(waiting(CANCEL));
    assertThat(lineup.closings().isEmpty()).isTrue();
  }

  @Test
  void waitForTheClosingsThatConcernThem() {
    begin("c1", 1);
    var record = List.of(change("a"));
    for (var held :
        List.of(
            CLOSE,
            APPLY,
            SETTLE,
            new PlanCommand.Discard("c1"),
            new PlanCommand.Resolve(PlanSamples.resolution("a")),
            new PlanCommand.Release(),
            new PlanCommand.Retry("ann"),
            new PlanCommand.Record("c1", record),
            new PlanCommand.Record(null, record))) {
      assertThat(lineup.closings().holdUp(held)).as(held.toString()).isTrue();
      assertThat(Closings.isNoConcern(held)).as(held.toString()).isFalse();
      assertThat(new Closings().holdUp(held)).as(held.toString()).isFalse();
    }
    for (var free :
        List.of(
            PlanSamples.start(),
            PlanSamples.commit(),
            new PlanCommand.Record("c2", record),
            new PlanCommand.Close("c2"))) {
      assertThat(lineup.closings().holdUp(free)).as(free.toString()).isFalse();
      assertThat(Closings.isNoConcern(free)).as(free.toString()).isFalse();
    }
    for (var passing :
        List.of(
            CANCEL,
            new PlanCommand.DeadlinePassed(NOW),
            new PlanCommand.GiveUp("no"),
            new PlanCommand.ApplyWritten(1, 1),
            new PlanCommand.ApplyUndone(1, "no"),
            new PlanCommand.LoseStep("a"),
            new PlanCommand.DropStep("a"))) {
      assertThat(lineup.closings().holdUp(passing)).as(passing.toString()).isFalse();
      assertThat(Closings.isNoConcern(passing)).as(passing.toString()).isTrue();
    }
  }

  @Test
  void areOvertakenByWhatStopsThePlan() {
    lineup.add(APPLY, asker);
    lineup.add(CANCEL, asker);
    assertThat(lineup.overtaking()).as("nothing is being closed").isNull();
    begin("c1", 1);

    assertThat(lineup.peek()).isNull();
    assertThat(lineup.overtaking()).isEqualTo(waiting(CANCEL));
    lineup.remove(waiting(CANCEL));
    assertThat(lineup.overtaking()).isNull();
    assertThat(lineup.waiting()).containsExactly(asker, asker);
  }

  @Test
  void areToldWhenAClosingFails() {
    begin("c1", 1);

    assertThat(lineup.closings().failed("c1")).isEqualTo(asker);

    assertThat(lineup.isEmpty()).isTrue();
  }

  @Test
  void areAnsweredIfSomebodyHasAsked() {
    var soon = Duration.ofSeconds(1);
    asker.answer(ID, new PlanAnswer.Done());
    asker.unavailable(ID, "away", soon);
    Asker.NOBODY.answer(ID, new PlanAnswer.Done());

    assertThat(caller.getAllReceived())
        .containsExactly(
            new PlanReply.Answered(ID, new PlanAnswer.Done()),
            new PlanReply.Unavailable(ID, "away", soon));
    assertThat(asker.isNobody()).isFalse();
    assertThat(Asker.NOBODY.isNobody()).isTrue();
  }

  @Test
  void leadToAStateThatIsReadBackFromHistory() throws IOException {
    var ended = PlanSamples.situations().get("succeeded");
    var child = PlanSamples.situations().get("a child that has failed");
    var row = PlanArchive.row(ended, PlanSamples.CODEC);

    assertThat(row.kind()).isEqualTo("plan");
    assertThat(row.status()).isEqualTo("plan-succeeded");
    assertThat(row.plan()).isNull();
    assertThat(PlanArchive.row(child, PlanSamples.CODEC).plan())
        .isEqualTo(child.spec().origin().parent().value());
    assertThat(PlanArchive.read(row, PlanSamples.CODEC)).isEqualTo(ended);
    var other = PlanArchive.row(child, PlanSamples.CODEC);
    var mixed =
        new HistoryRow(
            PlanSamples.newId(),
            "plan",
            "plan-failed",
            "site",
            "",
            null,
            null,
            "",
            0,
            NOW,
            NOW,
            other.state());
    assertThatIOException()
        .isThrownBy(() -> PlanArchive.read(mixed, PlanSamples.CODEC))
        .withMessage("it is not the state of this plan");
  }

  @Test
  void haveNamesAndStatusesThatAreChecked() {
    assertThat(ID).hasToString(ID.value());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PlanId("x"))
        .withMessageContaining("is not a plan id");
    assertThat(PlanStatus.of("failing")).contains(PlanStatus.FAILING);
    assertThat(PlanStatus.of("done")).isEmpty();
    assertThat(PlanStatus.parse("waiting")).isEqualTo(PlanStatus.WAITING);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PlanStatus.parse("done"))
        .withMessage("status \"done\" does not exist");
    for (var status : PlanStatus.values()) {
      boolean over =
          List.of(PlanStatus.SUCCEEDED, PlanStatus.FAILED, PlanStatus.CANCELLED).contains(status);
      assertThat(status.isTerminal()).as(status.label()).isEqualTo(over);
    }
    for (var status : StepStatus.values()) {
      boolean live = List.of(StepStatus.WAITING, StepStatus.RELEASED).contains(status);
      assertThat(status.isTerminal()).as(status.label()).isEqualTo(!live);
    }
    assertThat(StepStatus.RELEASED.label()).isEqualTo("released");
  }

  @Test
  void openStepsAgainThatHaveNotSucceeded() {
    var won = new StepState("a", StepStatus.SUCCEEDED, null, false);
    var lost = new StepState("b", StepStatus.FAILED, "x".repeat(300), false);

    assertThat(lost.reason()).hasSizeLessThanOrEqualTo(200).endsWith("… (cut)");
    assertThat(won.reopened()).isEqualTo(won);
    assertThat(lost.reopened()).isEqualTo(new StepState("b", StepStatus.WAITING, null, true));
    assertThat(lost.reopened().isToRunAgain()).isTrue();
    assertThat(lost.isToRunAgain()).isFalse();
    assertThat(StepState.waiting("c").isToRunAgain()).isFalse();
    assertThat(new StepState("d", StepStatus.RELEASED, null, true).isToRunAgain()).isFalse();
    var steps = Steps.of(List.of(won, lost));
    assertThat(steps.allEnded()).isTrue();
    assertThat(steps.reopened().allEnded()).isFalse();
    assertThat(steps.reopened().find("b")).contains(lost.reopened());
    assertThat(steps.size()).isEqualTo(2);
    assertThat(steps.hashCode()).isEqualTo(Steps.of(List.of(won, lost)).hashCode()).isNotZero();
    assertThat(steps).isNotEqualTo(steps.reopened()).isNotEqualTo("steps");
    assertThat(steps.toString()).contains("SUCCEEDED");
    assertThat(
            Steps.of(List.of(won, new StepState("c", StepStatus.RELEASED, null, false))).allEnded())
        .isFalse();
  }
}
