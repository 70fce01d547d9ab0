package dev.handoff.internal.plan;

import static dev.handoff.internal.plan.ClosingChangesets.Turn.AFTER_CLOSINGS;
import static dev.handoff.internal.plan.ClosingChangesets.Turn.AT_ONCE;
import static dev.handoff.internal.plan.ClosingChangesets.Turn.IN_ORDER;
import static dev.handoff.internal.plan.PlanSamples.BODY;
import static dev.handoff.internal.plan.PlanSamples.ID;
import static dev.handoff.internal.plan.PlanSamples.NOW;
import static dev.handoff.internal.plan.PlanSamples.change;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.handoff.internal.plan.change.ChangeEntry;
import dev.handoff.internal.store.HistoryRow;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanInfo;
import dev.handoff.plan.PlanStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.pekko.actor.testkit.typed.javadsl.TestInbox;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The commands that wait for a plan")
class WaitingCommandsTest {

  private static final PlanCommand SETTLE = new PlanCommand.Settle();
  private static final PlanCommand CANCEL = PlanSamples.cancel();
  private static final PlanCommand CLOSE = new PlanCommand.Close("c1");
  private static final PlanCommand APPLY = new PlanCommand.Apply("/srv");

  private final WaitingCommands commands = new WaitingCommands();
  private final TestInbox<PlanReply> caller = TestInbox.create();
  private final PlanRequester requester = new PlanRequester(caller.getRef());

  private static OpenChangeset open(String id, int entries) {
    var set = OpenChangeset.empty(id, "mine", "ann", NOW);
    for (int i = 0; i < entries; i++) {
      var change = change("f" + i);
      set =
          set.plus(
              List.of(
                  ChangeEntry.after(
                      set.lastSeal(), change.path(), change.before(), change.after(), NOW)));
    }
    return set;
  }

  private CommandGroup.Waiting waiting(PlanCommand command) {
    return new CommandGroup.Waiting(command, requester, false);
  }

  private void begin(String set, int entries) {
    commands.closings().begin(waiting(new PlanCommand.Close(set)), open(set, entries));
  }

  private static CommandGroup.Waiting commit(String set, int entries, PlanRequester requester) {
    return new CommandGroup.Waiting(new PlanCommand.Commit(set, BODY, entries), requester, false);
  }

  @Test
  void goInTheirOrder() {
    assertThat(commands.isEmpty()).isTrue();
    assertThat(commands.peek()).isNull();
    commands.add(CANCEL, requester);
    commands.add(APPLY, requester);
    assertThat(commands.size()).isEqualTo(2);
    assertThat(commands.isEmpty()).isFalse();

    assertThat(commands.peek()).isEqualTo(waiting(CANCEL));
    commands.remove(waiting(CANCEL));
    assertThat(commands.peek()).isEqualTo(waiting(APPLY));
    commands.putBack(List.of(waiting(CLOSE), waiting(CANCEL)));

    assertThat(commands.size()).isEqualTo(3);
    assertThat(commands.peek()).isEqualTo(waiting(CLOSE));
    commands.remove(waiting(CLOSE));
    assertThat(commands.peek()).isEqualTo(waiting(CANCEL));
    assertThat(commands.waiting()).containsExactly(requester, requester);
  }

  @Test
  void waitOnceIfThePlanAsksItself() {
    var own = new CommandGroup.Waiting(SETTLE, PlanRequester.NOBODY, false);
    commands.add(SETTLE, PlanRequester.NOBODY);
    commands.add(SETTLE, PlanRequester.NOBODY);
    assertThat(commands.size()).isEqualTo(1);
    commands.add(CANCEL, requester);
    commands.add(CANCEL, requester);
    assertThat(commands.size()).as("two callers").isEqualTo(3);

    commands.putBack(List.of(own));
    assertThat(commands.size()).isEqualTo(3);
    commands.remove(own);
    commands.putBack(List.of(own));
    assertThat(commands.size()).isEqualTo(3);
    assertThat(commands.peek()).isEqualTo(own);
    commands.remove(own);
    commands.add(SETTLE, PlanRequester.NOBODY);
    assertThat(commands.size()).isEqualTo(3);
  }

  @Test
  void letACommitPassWhoseBodyIsStored() {
    begin("c1", 2);
    begin("c2", 1);
    commands.add(CANCEL, requester);
    assertThat(commands.isEmpty()).isFalse();
    assertThat(commands.peek()).as("a cancel does not wait").isEqualTo(waiting(CANCEL));

    commands.closings().stored("c2", BODY);
    commands.closings().stored("c9", BODY);
    assertThat(commands.peek()).as("c1 goes first").isEqualTo(waiting(CANCEL));
    commands.closings().stored("c1", BODY);
    assertThat(commands.peek()).isEqualTo(commit("c1", 2, requester));
    commands.remove(commands.peek());
    assertThat(commands.peek()).isEqualTo(commit("c2", 1, requester));
    commands.remove(commands.peek());

    assertThat(commands.peek()).isEqualTo(waiting(CANCEL));
    assertThat(commands.closings().isEmpty()).isTrue();
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
      assertThat(commands.closings().turn(held)).as(held.toString()).isEqualTo(AFTER_CLOSINGS);
      assertThat(new ClosingChangesets().turn(held)).as(held.toString()).isEqualTo(IN_ORDER);
    }
    for (var free :
        List.of(
            PlanSamples.start(),
            PlanSamples.commit(),
            new PlanCommand.Record("c2", record),
            new PlanCommand.Close("c2"))) {
      assertThat(commands.closings().turn(free)).as(free.toString()).isEqualTo(IN_ORDER);
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
      assertThat(commands.closings().turn(passing)).as(passing.toString()).isEqualTo(AT_ONCE);
      assertThat(new ClosingChangesets().turn(passing)).as(passing.toString()).isEqualTo(AT_ONCE);
    }
  }

  @Test
  void areOvertakenByWhatStopsThePlan() {
    commands.add(APPLY, requester);
    commands.add(CANCEL, requester);
    assertThat(commands.overtaking()).as("nothing is being closed").isNull();
    begin("c1", 1);

    assertThat(commands.peek()).isNull();
    assertThat(commands.overtaking()).isEqualTo(waiting(CANCEL));
    commands.remove(waiting(CANCEL));
    assertThat(commands.overtaking()).isNull();
    assertThat(commands.waiting()).containsExactly(requester, requester);
  }

  @Test
  void areToldWhenAClosingFails() {
    begin("c1", 1);

    assertThat(commands.closings().failed("c1")).isEqualTo(requester);

    assertThat(commands.isEmpty()).isTrue();
  }

  @Test
  void areAnsweredIfSomebodyHasAsked() {
    var soon = Duration.ofSeconds(1);
    requester.answer(ID, new PlanAnswer.Done());
    requester.unavailable(ID, "away", soon);
    PlanRequester.NOBODY.answer(ID, new PlanAnswer.Done());

    assertThat(caller.getAllReceived())
        .containsExactly(
            new PlanReply.Answered(ID, new PlanAnswer.Done()),
            new PlanReply.Unavailable(ID, "away", soon));
    assertThat(requester.isNobody()).isFalse();
    assertThat(PlanRequester.NOBODY.isNobody()).isTrue();
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
    for (var status : PlanInfo.StepStatus.values()) {
      boolean live =
          List.of(PlanInfo.StepStatus.WAITING, PlanInfo.StepStatus.RELEASED).contains(status);
      assertThat(status.isTerminal()).as(status.label()).isEqualTo(!live);
    }
    assertThat(PlanInfo.StepStatus.RELEASED.label()).isEqualTo("released");
  }

  @Test
  void openStepsAgainThatHaveNotSucceeded() {
    var won = new StepState("a", PlanInfo.StepStatus.SUCCEEDED, null, false);
    var lost = new StepState("b", PlanInfo.StepStatus.FAILED, "x".repeat(300), false);

    assertThat(lost.reason()).hasSizeLessThanOrEqualTo(200).endsWith("… (cut)");
    assertThat(won.reopened()).isEqualTo(won);
    assertThat(lost.reopened())
        .isEqualTo(new StepState("b", PlanInfo.StepStatus.WAITING, null, true));
    assertThat(lost.reopened().isToRunAgain()).isTrue();
    assertThat(lost.isToRunAgain()).isFalse();
    assertThat(StepState.waiting("c").isToRunAgain()).isFalse();
    assertThat(new StepState("d", PlanInfo.StepStatus.RELEASED, null, true).isToRunAgain())
        .isFalse();
    var steps = StepStates.of(List.of(won, lost));
    assertThat(steps.allEnded()).isTrue();
    assertThat(steps.reopened().allEnded()).isFalse();
    assertThat(steps.reopened().find("b")).contains(lost.reopened());
    assertThat(steps.size()).isEqualTo(2);
    assertThat(steps.hashCode())
        .isEqualTo(StepStates.of(List.of(won, lost)).hashCode())
        .isNotZero();
    assertThat(steps).isNotEqualTo(steps.reopened()).isNotEqualTo("steps");
    assertThat(steps.toString()).contains("SUCCEEDED");
    assertThat(
            StepStates.of(
                    List.of(won, new StepState("c", PlanInfo.StepStatus.RELEASED, null, false)))
                .allEnded())
        .isFalse();
  }
}
