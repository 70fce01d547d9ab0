package dev.handoff.internal.plan;

import static dev.handoff.internal.plan.PlanSamples.draft;
import static dev.handoff.internal.plan.PlanSamples.state;
import static dev.handoff.internal.plan.PlanSamples.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.plan.PlanInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a plan's steps are to be told")
class StepOrdersTest {

  private static List<String> told(PlanState plan, String... started) {
    return StepOrders.of(plan, Set.of(started)).stream()
        .map(
            order ->
                switch (order) {
                  case StepOrders.Start(var step, boolean again) ->
                      (again ? "again " : "start ") + step.name();
                  case StepOrders.Stop(var step, var reason) ->
                      "stop " + step.name() + ": " + reason;
                })
        .toList();
  }

  private static PlanState moved(PlanState plan, String step, PlanInfo.StepStatus to) {
    return plan.stepMoved(step, to, to == PlanInfo.StepStatus.FAILED ? "why" : null);
  }

  @Test
  void isToStartInTheOrderOfThePlanWhatIsReady() {
    var plan = state(draft(step("z"), step("a", "z"), step("m")));

    assertThat(told(plan)).containsExactly("start z", "start m");
    assertThat(told(moved(plan, "z", PlanInfo.StepStatus.SUCCEEDED)))
        .containsExactly("start a", "start m");
  }

  @Test
  void isToStartNoMoreThanMayRunAtOnce() {
    var plan = state(draft(2, false, step("a"), step("b"), step("c")));

    assertThat(told(plan)).containsExactly("start a", "start b");
    assertThat(told(moved(plan, "b", PlanInfo.StepStatus.RELEASED))).containsExactly("start a");
    assertThat(told(moved(plan, "b", PlanInfo.StepStatus.RELEASED), "a")).isEmpty();
    assertThat(told(plan, "a", "b")).isEmpty();
    assertThat(told(moved(plan, "b", PlanInfo.StepStatus.FAILED), "a")).containsExactly("start c");
  }

  @Test
  void isTheSameUntilItHasHadAnEffect() {
    var plan = state(draft(2, false, step("a"), step("b"), step("c")));

    assertThat(told(plan)).isEqualTo(told(plan));
    var after = moved(plan, "a", PlanInfo.StepStatus.RELEASED);
    assertThat(told(after)).containsExactly("start b");
    assertThat(told(moved(after, "b", PlanInfo.StepStatus.RELEASED))).isEmpty();
  }

  @Test
  void isToStopWhatCanNeverBeReadyWithTheReason() {
    var plan = state(draft(step("a"), step("b", "a"), step("c", "b"), step("d")));

    assertThat(told(moved(plan, "a", PlanInfo.StepStatus.FAILED)))
        .containsExactly("stop b: step a before it failed", "start d");
    var cancelled =
        moved(moved(plan, "a", PlanInfo.StepStatus.FAILED), "b", PlanInfo.StepStatus.CANCELLED);
    assertThat(told(cancelled))
        .containsExactly("stop c: step b before it was cancelled", "start d");
  }

  @Test
  void isToStopEverythingAfterAFailureOnlyIfThePlanFailsFast() {
    var fast = state(draft(5, true, step("a"), step("b"), step("c", "b")));

    assertThat(
            told(
                moved(
                    moved(fast, "b", PlanInfo.StepStatus.RELEASED),
                    "a",
                    PlanInfo.StepStatus.FAILED)))
        .containsExactly(
            "stop b: step a failed, and the plan fails fast",
            "stop c: step a failed, and the plan fails fast");
    assertThat(told(moved(fast, "a", PlanInfo.StepStatus.CANCELLED))).containsExactly("start b");
  }

  @Test
  void isToStopEverythingWithTheReasonOfACancel() {
    var plan = PlanSamples.after(state(draft(step("a"), step("b"))), PlanSamples.cancel());

    assertThat(told(moved(plan, "a", PlanInfo.StepStatus.SUCCEEDED)))
        .containsExactly("stop b: not needed");
  }

  @Test
  void isNothingBeforeItsTurnAndNothingAfterItsEnd() {
    assertThat(told(PlanSamples.held(draft(step("a"))))).isEmpty();
    var over = moved(state(draft(step("a"))), "a", PlanInfo.StepStatus.SUCCEEDED);
    assertThat(told(PlanSamples.after(over, new PlanCommand.Settle()))).isEmpty();
  }

  @Test
  void isToOpenAgainWhatHadEndedAndDidNotSucceed() {
    var failed = state(draft(step("a"), step("b"), step("c", "a")));
    failed = moved(failed, "a", PlanInfo.StepStatus.FAILED);
    failed = moved(failed, "b", PlanInfo.StepStatus.SUCCEEDED);
    failed = moved(failed, "c", PlanInfo.StepStatus.CANCELLED);
    failed = PlanSamples.after(failed, new PlanCommand.Settle());

    var again = PlanSamples.after(failed, new PlanCommand.Retry("ann"));

    assertThat(told(again)).containsExactly("again a");
    assertThat(told(moved(again, "a", PlanInfo.StepStatus.SUCCEEDED))).containsExactly("again c");
    assertThat(StepOrders.whyStopped(again, "c")).isNull();
    assertThat(StepOrders.whyStopped(moved(again, "a", PlanInfo.StepStatus.FAILED), "c"))
        .isEqualTo("step a before it failed");
  }

  @Test
  void isFoundOutQuicklyForTenThousandSteps() {
    var steps = new ArrayList<PlanDraft.Step>();
    for (int i = 0; i < PlanRules.MOST_STEPS; i++) {
      steps.add(step("s" + i));
    }
    var plan = state(new PlanDraft("wide", 50, false, null, steps));
    for (int i = 0; i < 9_000; i++) {
      plan = moved(plan, "s" + i, PlanInfo.StepStatus.SUCCEEDED);
    }

    assertThat(told(plan)).hasSize(50).startsWith("start s9000");
    assertThat(plan.steps().count(PlanInfo.StepStatus.SUCCEEDED)).isEqualTo(9_000);
    assertThat(plan.steps().count(PlanInfo.StepStatus.WAITING)).isEqualTo(1_000);
  }
}
