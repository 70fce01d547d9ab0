package dev.handoff.cli;

import dev.handoff.Handoff;
import dev.handoff.plan.PlanHandle;
import dev.handoff.plan.PlanId;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Instructions for opening the plan of a command.
///
/// @param own existing plan; null = new plan
/// @param types job types of the plan
/// @param open submits or reopens the plan
record PlanOpening(
    @Nullable PlanId own, Set<String> types, Before before, Function<Handoff, PlanHandle> open) {

  /// State of the plan before the command.
  enum Before {
    /// New or ended.
    RESTS,
    /// Unfinished: continues when an engine starts.
    GOES_ON,
    /// Stopping: must end before a retry.
    STOPS
  }

  static PlanOpening ofNew(Set<String> types, Function<Handoff, PlanHandle> submit) {
    return new PlanOpening(null, types, Before.RESTS, submit);
  }

  /// Message before a long wait.
  Optional<String> announcement() {
    return before == Before.STOPS
        ? Optional.of("the plan was being stopped: the stop is completed first")
        : Optional.empty();
  }

  /// Waits until the plan can be opened.
  void await(Handoff handoff) {
    if (before == Before.STOPS && own != null) {
      handoff.plans().plan(own).ended().toCompletableFuture().join();
    }
  }
}
