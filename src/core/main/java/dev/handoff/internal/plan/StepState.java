package dev.handoff.internal.plan;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.handoff.internal.text.SafeText;
import dev.handoff.plan.PlanInfo;
import org.jspecify.annotations.Nullable;

/// State of one step.
///
/// @param reason why the step failed or was cancelled, cut to the limit per step; null otherwise
/// @param again whether the step ended before, so that its next start is a retry
public record StepState(
    String name,
    PlanInfo.StepStatus status,
    @Nullable String reason,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean again) {

  private static final int MOST_REASON_BYTES = 200;

  public StepState {
    reason = reason == null ? null : SafeText.cleanBytes(reason, MOST_REASON_BYTES);
  }

  static StepState waiting(String name) {
    return new StepState(name, PlanInfo.StepStatus.WAITING, null, false);
  }

  StepState to(PlanInfo.StepStatus next, @Nullable String why) {
    return new StepState(name, next, why, false);
  }

  /// Returns whether the step waits for its retry.
  @JsonIgnore
  boolean isToRunAgain() {
    return status == PlanInfo.StepStatus.WAITING && again;
  }

  /// State after its plan was reopened.
  StepState reopened() {
    return status == PlanInfo.StepStatus.SUCCEEDED
        ? this
        : new StepState(name, PlanInfo.StepStatus.WAITING, null, true);
  }
}
