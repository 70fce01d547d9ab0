package dev.handoff.internal.plan;

import static dev.handoff.internal.plan.PlanSamples.change;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.typesafe.config.ConfigFactory;
import dev.handoff.plan.PlanInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a plan decides together")
class CommandGroupTest {

  private static final PlanCommand SETTLE = new PlanCommand.Settle();

  private final CommandGroup group =
      new CommandGroup(PlanSamples.state(PlanSamples.draft(PlanSamples.step("a"))));

  private static CommandGroup.Waiting waiting(PlanCommand command) {
    return new CommandGroup.Waiting(command, PlanRequester.NOBODY, false);
  }

  private static CommandGroup.Waiting recording(int changes) {
    return waiting(new PlanCommand.Record("c1", Collections.nCopies(changes, change("a"))));
  }

  @Test
  void isNotMoreThanSoManyCommands() {
    for (int i = 0; i < CommandGroup.MOST_COMMANDS; i++) {
      assertThat(group.hasRoomFor(waiting(SETTLE))).isTrue();
      group.add(waiting(SETTLE), PlanDecision.done());
    }

    assertThat(group.hasRoomFor(waiting(SETTLE))).isFalse();
  }

  @Test
  void isNotMoreThanSoManyChangesUnlessThereIsOneCommandOnly() {
    assertThat(group.hasRoomFor(recording(CommandGroup.MOST_CHANGES + 1))).isTrue();
    group.add(recording(1_000), PlanDecision.done());
    group.add(recording(500), PlanDecision.done());

    assertThat(group.hasRoomFor(recording(CommandGroup.MOST_CHANGES - 1_500))).isTrue();
    assertThat(group.hasRoomFor(recording(CommandGroup.MOST_CHANGES - 1_499))).isFalse();
    assertThat(group.hasRoomFor(waiting(SETTLE))).isTrue();
  }

  @Test
  void isOneCommandIfThatIsSuspect() {
    var suspect = waiting(SETTLE).suspected();
    assertThat(group.hasRoomFor(suspect)).isTrue();
    group.add(waiting(SETTLE), PlanDecision.done());
    assertThat(group.hasRoomFor(suspect)).isFalse();

    var alone = new CommandGroup(group.before());
    alone.add(suspect, PlanDecision.done());
    assertThat(alone.hasRoomFor(waiting(SETTLE))).isFalse();
  }

  @Test
  void leadsToTheStateAfterAllOfIt() {
    var start = PlanSamples.start();
    var decision = group.before().decide(start, PlanSamples.NOW);

    group.add(waiting(start), decision);

    assertThat(group.facts()).isEqualTo(decision.facts());
    assertThat(group.decided()).containsExactly(new CommandGroup.Decided(waiting(start), decision));
    assertThat(group.after()).isEqualTo(PlanSamples.after(group.before(), decision));
  }

  @Test
  void isBoundedBySettingsThatAreChecked() {
    var second = Duration.ofSeconds(1);

    assertThat(new PlanSettings(1, second).waiting()).isEqualTo(1);
    assertThat(PlanSettings.from(ConfigFactory.defaultReference().getConfig("handoff")).waiting())
        .isPositive();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PlanSettings(0, second))
        .withMessage("handoff.plans.waiting must be at least 1, was 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PlanSettings(1, Duration.ZERO))
        .withMessage("handoff.plans.repeat must be more than 0s, was 0s");
  }

  @Test
  void mayFailWithMoreStepsThanAreNamed() {
    var failed = Collections.nCopies(11, PlanInfo.StepStatus.FAILED);
    assertThat(FailureSummary.of(steps(failed.subList(0, 10))))
        .endsWith("s9 (no)")
        .startsWith("10 of 10");
    assertThat(FailureSummary.of(steps(failed)))
        .startsWith("11 of 11 steps failed: s0 (no), s1 (no)")
        .endsWith("s9 (no) and 1 more");
    assertThat(
            FailureSummary.of(
                steps(List.of(PlanInfo.StepStatus.SUCCEEDED, PlanInfo.StepStatus.CANCELLED))))
        .isEqualTo("1 of 2 steps cancelled: s1 (no)");
    assertThat(
            FailureSummary.of(
                steps(List.of(PlanInfo.StepStatus.FAILED, PlanInfo.StepStatus.CANCELLED))))
        .isEqualTo("1 of 2 steps failed: s0 (no)");
  }

  private static StepStates steps(List<PlanInfo.StepStatus> all) {
    var states = new ArrayList<StepState>();
    for (var status : all) {
      states.add(new StepState("s" + states.size(), status, "no", false));
    }
    return StepStates.of(states);
  }
}
