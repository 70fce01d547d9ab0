package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.handoff.job.Text;
import org.jspecify.annotations.Nullable;

/// Where one step stands.
///
/// @param reason why it failed or was cancelled, cut to what a plan can keep of each of its steps;
///   null if it did not
/// @param again whether it ended before, and is opened again when its turn comes
public record StepState(
    String name,
    StepStatus status,
    @Nullable String reason,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean again) {

  private static final int MOST_REASON_BYTES = 200;

  public StepState {
    reason = reason == null ? null : Text.cleanBytes(reason, MOST_REASON_BYTES);
  }

  static StepState waiting(String name) {
    return new StepState(name, StepStatus.WAITING, null, false);
  }

  StepState to(StepStatus next, @Nullable String why) {
    return new StepState(name, next, why, false);
  }

  /// Whether it ended before, and waits to be opened again.
  @JsonIgnore
  boolean isToRunAgain() {
    return status == StepStatus.WAITING && again;
  }

  /// What it is when its plan is opened again.
  StepState reopened() {
    return status == StepStatus.SUCCEEDED
        ? this
        : new StepState(name, StepStatus.WAITING, null, true);
  }
}
