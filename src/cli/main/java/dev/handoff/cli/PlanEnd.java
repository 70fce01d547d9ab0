package dev.handoff.cli;

import dev.handoff.plan.PlanCancelReport;
import dev.handoff.plan.PlanDiff;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanInfo;
import dev.handoff.plan.PlanStatus;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Outcome of a plan's run.
///
/// @param plan latest known state; null if unknown
/// @param over whether the plan has ended
/// @param signal signal that stopped the run; null = none
/// @param broken reason for an unknown end; null if known
/// @param diff changes of an ended plan; empty if none
/// @param cancel report of a cancel by this run
record PlanEnd(
    PlanId id,
    @Nullable PlanInfo plan,
    boolean over,
    @Nullable String signal,
    @Nullable String broken,
    Optional<PlanDiff> diff,
    Optional<PlanCancelReport> cancel,
    Duration elapsed) {

  /// Copy with a later state of the plan.
  PlanEnd with(PlanInfo later) {
    return new PlanEnd(id, later, over, signal, broken, diff, cancel, elapsed);
  }

  /// Exit code. A successful plan ignores signals. Ctrl-C counts otherwise; other signals count
  /// only if work is left.
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
