package dev.handoff.internal.plan;

import static dev.handoff.internal.plan.PlanSamples.BODY;
import static dev.handoff.internal.plan.PlanSamples.NOW;
import static dev.handoff.internal.plan.PlanSamples.TARGET;
import static dev.handoff.internal.plan.PlanSamples.sha;
import static dev.handoff.internal.plan.PlanSamples.state;
import static dev.handoff.internal.plan.PlanSamples.step;
import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.plan.Resolution;
import dev.handoff.plan.Resolution.Choice;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A decision about a conflict")
class PlanResolvingTest {

  private final PlanState plan = state(PlanSamples.draft(step("a")));

  private static PlanCommand resolve(Choice choice, int second) {
    return new PlanCommand.Resolve(
        new Resolution(
            "a.txt", null, sha("1"), sha("2"), choice, null, "ann", NOW.plusSeconds(second)));
  }

  /// State after an apply of the whole plan.
  private static PlanState applied(PlanState before, int number, int second) {
    var apply = new WrittenApply(number, TARGET, 1, BODY, 1, NOW.plusSeconds(second));
    return before.apply(new PlanFact.ApplyWritten(apply));
  }

  private static PlanAnswer answer(PlanState before, PlanCommand command) {
    return before.decide(command, NOW).answer();
  }

  @Test
  void takesThePlaceOfAnEarlierOne() {
    var decided =
        PlanSamples.after(plan, resolve(Choice.OURS, 1), resolve(Choice.THEIRS, 2)).book();

    assertThat(decided.resolutions())
        .singleElement()
        .satisfies(one -> assertThat(one.choice()).isEqualTo(Choice.THEIRS));
  }

  @Test
  void staysOnceItWasWritten() {
    var written = applied(PlanSamples.after(plan, resolve(Choice.OURS, 1)), 1, 1);

    assertThat(answer(written, resolve(Choice.THEIRS, 2)))
        .isInstanceOfSatisfying(
            PlanAnswer.Declined.class,
            declined -> assertThat(declined.reason()).contains("that was applied"));
    assertThat(answer(written, resolve(Choice.OURS, 2))).isEqualTo(new PlanAnswer.Done());
  }

  @Test
  void canBeChangedIfNothingWasWrittenSince() {
    var before = applied(plan, 1, 1);
    var decided = PlanSamples.after(before, resolve(Choice.OURS, 2));

    assertThat(answer(decided, resolve(Choice.THEIRS, 3))).isEqualTo(new PlanAnswer.Done());
    assertThat(answer(applied(decided, 2, 4), resolve(Choice.THEIRS, 5)))
        .isInstanceOf(PlanAnswer.Declined.class);
  }
}
