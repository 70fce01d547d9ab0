package dev.handoff;

import dev.handoff.plan.PlanId;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/// The plans of an engine. Whoever hands over null gets a [NullPointerException] that names it.
public interface PlanCommands {

  /// Submits a plan with all of its steps. Answered when all of it is durable, or nothing. Its
  /// stage never fails.
  CompletionStage<PlanSubmission> submit(PlanRequest request);

  /// Submits a plan and waits until it is durable. Not for an actor's thread.
  ///
  /// @throws PlanRefusedException if it is not accepted
  PlanHandle submitOrThrow(PlanRequest request);

  /// The handle of a plan, whether it exists or not.
  PlanHandle plan(PlanId id);

  /// Some plans, live and ended, newest first; those that are a step of another one are shown
  /// there. A plan that is opened again at this very moment may be left out.
  ///
  /// @param cursor where the page before this one ended; empty for the first
  /// @param limit 1 to 1,000
  /// @throws InvalidRequestException if one of them is not what it should be
  CompletionStage<PlanPage> list(Optional<String> cursor, int limit);
}
