package dev.handoff.cli;

import dev.handoff.PlanCancelReport;
import dev.handoff.PlanDiff;
import dev.handoff.PlanInfo;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanStatus;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// How the run of a plan ended.
///
/// @param plan as it was seen last; null if it was not seen at all
/// @param over whether it has ended
/// @param signal that it was stopped by; null = by none
/// @param broken why its end cannot be known; null if it can
/// @param diff what it has changed, if it has ended and has changed anything
/// @param cancel what came of its cancel, if that was asked for here
record PlanEnd(
    PlanId id,
    @Nullable PlanInfo plan,
    boolean over,
    @Nullable String signal,
    @Nullable String broken,
    Optional<PlanDiff> diff,
    Optional<PlanCancelReport> cancel,
    Duration elapsed) {

  /// The same with the plan as it was seen after that.
  PlanEnd with(PlanInfo later) {
    return new PlanEnd(id, later, over, signal, broken, diff, cancel, elapsed);
  }

  /// A signal counts where work is left, and a Ctrl-C where it has cancelled the plan.
  int exitCode() {
    if (succeeded()) {
      return ExitCode.OK;
    }
    if ("INT".equals(signal) || signal != null && !over && broken == null) {
      return StopSignals.exitCode(signal);
    }
    return ExitCode.FAILED;
  }

  private boolean succeeded() {
    return over && plan != null && plan.status() == PlanStatus.SUCCEEDED;
  }
}
