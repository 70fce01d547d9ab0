package dev.handoff.internal.plan;

import static dev.handoff.internal.plan.PlanSamples.BODY;
import static dev.handoff.internal.plan.PlanSamples.NOW;
import static dev.handoff.internal.plan.PlanSamples.after;
import static dev.handoff.internal.plan.PlanSamples.change;
import static dev.handoff.internal.plan.PlanSamples.draft;
import static dev.handoff.internal.plan.PlanSamples.moved;
import static dev.handoff.internal.plan.PlanSamples.record;
import static dev.handoff.internal.plan.PlanSamples.start;
import static dev.handoff.internal.plan.PlanSamples.state;
import static dev.handoff.internal.plan.PlanSamples.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.plan.PlanInfo;
import dev.handoff.plan.PlanStatus;
import java.util.Collections;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Covers lines whose mutations other tests do not detect.
@DisplayName("At its edges a plan")
class PlanEdgesTest {

  private final PlanState running = state(draft(step("a"), step("b", "a")));
  private final PlanState two = after(running, start(), start(), record("c1"), record("c2"));

  /// Changes of 256 bytes each.
  private static PlanCommand.Record recording(int changes) {
    return new PlanCommand.Record("c1", Collections.nCopies(changes, change("x".repeat(36))));
  }

  @Test
  void holdsOpenChangesToTheLastByte() {
    var open = after(running, start());
    int half = ChangeLedger.MOST_OPEN_BYTES / 256 / 2;
    var first = after(open, recording(half));

    assertThat(first.decide(recording(half), NOW).answer())
        .isEqualTo(new PlanAnswer.Recorded("c1", 2 * half));
    assertThat(first.decide(recording(half + 1), NOW).answer()).isInstanceOf(PlanAnswer.Full.class);
    var all = after(first, recording(half));
    assertThat(all.decide(record("c1"), NOW).answer()).isInstanceOf(PlanAnswer.Full.class);
  }

  @Test
  void tellsHowManyChangesAChangesetHas() {
    assertThat(two.decide(record("c1"), NOW).answer()).isEqualTo(new PlanAnswer.Recorded("c1", 2));
    assertThat(two.decide(record(null), NOW).answer()).isEqualTo(new PlanAnswer.Recorded("c2", 2));
  }

  @Test
  void hasNothingToApplyIfItsChangesetsAreEmpty() {
    var apply = new PlanCommand.Apply(PlanSamples.TARGET);
    var empty = after(running, start(), new PlanCommand.Commit("c1", BODY, 0));

    assertThat(empty.book().chain()).hasSize(1);
    assertThat(empty.decide(apply, NOW).answer()).isEqualTo(new PlanAnswer.NothingToApply());
    var full = after(empty, start(), record("c2"), new PlanCommand.Commit("c2", BODY, 1));
    assertThat(full.decide(apply, NOW).answer()).isEqualTo(new PlanAnswer.Done());
  }

  @Test
  void closesAndDiscardsTheOneThatIsMeant() {
    var discarded = after(two, new PlanCommand.Discard("c1"));
    assertThat(discarded.book().open()).extracting(OpenChangeset::id).containsExactly("c2");
    assertThat(discarded.book().chain()).isEmpty();

    var closed = after(two, new PlanCommand.Commit("c1", BODY, 1));
    assertThat(closed.book().open()).extracting(OpenChangeset::id).containsExactly("c2");
    assertThat(closed.book().chain()).hasSize(1);
    var twice = closed.apply(new PlanFact.ChangesetClosed("c1", BODY, NOW));
    assertThat(twice.book()).isEqualTo(closed.book());
    assertThat(twice.version()).isEqualTo(closed.version() + 1);
  }

  @Test
  void dropsWhatIsOpenWhenItEnds() {
    var ended = two.apply(new PlanFact.Ended(new PlanPhase.Failed("no", NOW)));

    assertThat(ended.book().open()).isEmpty();
    assertThat(ended.version()).isEqualTo(two.version() + 1);
  }

  @Test
  void dropsAStepOnlyIfThatIsToRunAgain() {
    var dropped = new PlanFact.StepDropped("a", "no", NOW);
    assertThat(running.apply(dropped).steps()).isEqualTo(running.steps());
    assertThat(running.apply(dropped).version()).isEqualTo(running.version() + 1);

    var failed = PlanSamples.situations().get("failed");
    var again = after(failed, new PlanCommand.Retry("ann"));

    assertThat(again.apply(dropped).steps().find("a").orElseThrow().status())
        .isEqualTo(PlanInfo.StepStatus.CANCELLED);
  }

  @Test
  void isFailingWithOneStepThatFailedOrWasCancelled() {
    assertThat(moved(running, PlanInfo.StepStatus.FAILED, PlanInfo.StepStatus.CANCELLED).status())
        .isEqualTo(PlanStatus.FAILING);
    assertThat(moved(running, PlanInfo.StepStatus.CANCELLED).status())
        .isEqualTo(PlanStatus.FAILING);
    assertThat(moved(running, PlanInfo.StepStatus.SUCCEEDED).status())
        .isEqualTo(PlanStatus.RUNNING);
  }

  @Test
  void stopsWhatCanNeverRunAlsoWhileThereIsNoRoomAndStartsNothingThen() {
    var one = state(draft(1, false, step("r"), step("f"), step("h", "f"), step("w")));
    var stuck = moved(one, PlanInfo.StepStatus.RELEASED, PlanInfo.StepStatus.FAILED);

    assertThat(StepOrders.of(stuck, Set.of()))
        .containsExactly(new StepOrders.Stop(one.spec().steps().get(2), "step f before it failed"));
    assertThat(
            StepOrders.of(
                moved(one, PlanInfo.StepStatus.RELEASED, PlanInfo.StepStatus.SUCCEEDED), Set.of()))
        .isEmpty();
  }

  @Test
  void namesTheStepThatItFailsFastWith() {
    var fast = state(draft(5, true, step("a"), step("b"), step("c")));
    var failed = moved(fast, PlanInfo.StepStatus.SUCCEEDED, PlanInfo.StepStatus.FAILED);

    assertThat(StepOrders.of(failed, Set.of()))
        .containsExactly(
            new StepOrders.Stop(
                fast.spec().steps().get(2), "step b failed, and the plan fails fast"));
    assertThat(StepOrders.whyStopped(failed, "c"))
        .isEqualTo("step b failed, and the plan fails fast");
  }

  @Test
  void hasNotEndedWhileOneStepWaitsAndAnotherRuns() {
    assertThat(moved(running, PlanInfo.StepStatus.RELEASED).steps().allEnded()).isFalse();
    assertThat(moved(running, PlanInfo.StepStatus.FAILED).steps().allEnded()).isFalse();
    assertThat(
            moved(running, PlanInfo.StepStatus.FAILED, PlanInfo.StepStatus.CANCELLED)
                .steps()
                .allEnded())
        .isTrue();
  }
}
