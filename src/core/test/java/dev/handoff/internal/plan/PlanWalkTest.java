package dev.handoff.internal.plan;

import static dev.handoff.internal.plan.PlanSamples.draft;
import static dev.handoff.internal.plan.PlanSamples.state;
import static dev.handoff.internal.plan.PlanSamples.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.handoff.testing.SealedKinds;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A plan, whatever happens in whatever order,")
class PlanWalkTest {

  private static final int DEPTH = Integer.getInteger("handoff.walk.depth", 9) + 1;

  private static final PlanDraft PLAN = draft(1, false, step("a"), step("b", "a"), step("c"));
  private static final PlanDraft FAST = draft(2, true, step("a"), step("b", "a"), step("c"));

  @Test
  void keepsEveryInvariant() {
    var seen = new PlanWalk(PlanWalk::real, DEPTH).walk(state(PLAN));
    var fast = new PlanWalk(PlanWalk::real, DEPTH - 3).walk(state(FAST));

    System.out.printf("%,d and %,d distinct states%n", seen.states(), fast.states());
    assertThat(seen.states()).isGreaterThan(10_000);
    assertThat(fast.states()).isGreaterThan(1_000);
    assertThat(seen.facts())
        .containsAll(
            SealedKinds.of(PlanFact.class).stream()
                .filter(kind -> !NOT_HERE.contains(kind))
                .map(Class::getSimpleName)
                .toList());
    assertThat(seen.answers())
        .contains(
            "Record ChangesetClosed",
            "Record NoActiveChangeset",
            "Apply Busy",
            "Apply NothingToApply",
            "Retry Busy",
            "Retry AlreadyFinished",
            "Cancel AlreadyFinished",
            "Commit Declined");
  }

  /// Facts that do not occur: the plan has no parent, loses no step, and its deadline does not
  /// pass.
  private static final List<Class<?>> NOT_HERE =
      List.of(PlanFact.Submitted.class, PlanFact.Released.class, PlanFact.StepLost.class);

  @Test
  void endsTooEarlyIfItDoesNotLookAtItsSteps() {
    assertThatThrownBy(() -> new PlanWalk(PlanWalkTest::hasty, 4).walk(state(PLAN)))
        .isInstanceOf(PlanWalk.Violation.class)
        .hasMessageContaining("a plan ends after everything in it");
  }

  @Test
  void putsEntriesElsewhereIfItTakesWhatComesTooLateForTheNextSet() {
    assertThatThrownBy(() -> new PlanWalk(PlanWalkTest::obliging, 6).walk(state(PLAN)))
        .isInstanceOf(PlanWalk.Violation.class)
        .hasMessageContaining("an entry is in the set that its answer names");
  }

  private static PlanDecision hasty(PlanState plan, PlanCommand command) {
    return command instanceof PlanCommand.Settle && !plan.isOver()
        ? PlanDecision.done(new PlanFact.Ended(new PlanPhase.Succeeded(PlanSamples.NOW)))
        : PlanWalk.real(plan, command);
  }

  /// Former defect: the latest changeset is used without a check that it is the one requested.
  private static PlanDecision obliging(PlanState plan, PlanCommand command) {
    boolean late =
        command instanceof PlanCommand.Record(var set, var changes)
            && set != null
            && plan.book().open(set).isEmpty()
            && plan.book().latest().isPresent();
    if (!late) {
      return PlanWalk.real(plan, command);
    }
    var moved = PlanWalk.real(plan, PlanSamples.record(null));
    return PlanDecision.of(
        moved.facts().getFirst(),
        new PlanAnswer.Recorded(((PlanCommand.Record) command).changeset(), 1));
  }
}
