package dev.handoff.cli;

import dev.handoff.PlanInfo;

/// What happens while a plan runs, told to the one thread that shows it.
sealed interface PlanEvent {

  /// How the plan is at the moment.
  record Seen(PlanInfo plan) implements PlanEvent {}

  /// It could not be asked just now.
  record NotSeen() implements PlanEvent {}

  /// The plan has ended.
  record Ended(PlanInfo plan) implements PlanEvent {}

  /// It cannot be found out any more how the plan ends.
  record Broken(String reason) implements PlanEvent {}

  /// Somebody wants it to stop: `INT`, `TERM` or `HUP`.
  record Signalled(String signal) implements PlanEvent {}

  /// So many other jobs of the store are still under way.
  record Others(long count) implements PlanEvent {}

  /// Something that is to be said on the way.
  record Told(String words) implements PlanEvent {}

  /// The engine is closed.
  record Closed() implements PlanEvent {}
}
