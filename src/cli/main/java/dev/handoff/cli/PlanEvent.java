package dev.handoff.cli;

import dev.handoff.plan.PlanInfo;

/// Event of a plan's run, for the thread that displays it.
sealed interface PlanEvent {

  /// Current state of the plan.
  record Seen(PlanInfo plan) implements PlanEvent {}

  /// State temporarily unavailable.
  record NotSeen() implements PlanEvent {}

  /// End of the plan.
  record Ended(PlanInfo plan) implements PlanEvent {}

  /// Permanent loss of the plan's outcome.
  record Broken(String reason) implements PlanEvent {}

  /// Stop request by a signal: `INT`, `TERM` or `HUP`.
  record Signalled(String signal) implements PlanEvent {}

  /// Number of other running jobs in the store.
  record Others(long count) implements PlanEvent {}

  /// Message for the user.
  record Told(String words) implements PlanEvent {}

  /// End of the engine's shutdown.
  record Closed() implements PlanEvent {}
}
