package dev.handoff;

import dev.handoff.plan.PlanId;
import java.time.Duration;

/// The answer to a retry of a plan.
public sealed interface PlanRetryAnswer {

  /// The plan is open again: what had not succeeded runs again.
  record Reopened(PlanHandle handle) implements PlanRetryAnswer {}

  /// Only failed and cancelled plans can be opened again, and only the one at the top.
  record NotPossible(PlanId plan, String reason) implements PlanRetryAnswer {}

  record NotFound(PlanId plan) implements PlanRetryAnswer {}

  record Unavailable(String reason, Duration retryAfter) implements PlanRetryAnswer {}
}
