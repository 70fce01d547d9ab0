package dev.handoff.cli;

import dev.handoff.Handoff;
import dev.handoff.PlanHandle;
import dev.handoff.plan.PlanId;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// How a command gets the plan that it works off.
///
/// @param own the plan that is to go on; null = a new one
/// @param types of the jobs that are to run
/// @param open hands it in, or opens it again
record PlanOpening(
    @Nullable PlanId own, Set<String> types, Before before, Function<Handoff, PlanHandle> open) {

  /// What the plan does before it is opened.
  enum Before {
    /// It is new, or has ended.
    RESTS,
    /// It goes on as soon as an engine is there.
    GOES_ON,
    /// It is being stopped, which has to be over first.
    STOPS
  }

  static PlanOpening ofNew(Set<String> types, Function<Handoff, PlanHandle> submit) {
    return new PlanOpening(null, types, Before.RESTS, submit);
  }

  /// What is to be said before it takes its time.
  Optional<String> announcement() {
    return before == Before.STOPS
        ? Optional.of("the plan was being stopped: that is finished first")
        : Optional.empty();
  }

  /// Waits until the plan can be opened.
  void await(Handoff handoff) {
    if (before == Before.STOPS && own != null) {
      handoff.plans().plan(own).ended().toCompletableFuture().join();
    }
  }
}
