package dev.handoff;

import dev.handoff.plan.PlanId;
import java.util.concurrent.CompletionStage;

/// The plans of an engine.
public interface PlanCommands {

  /// Submits a plan with all of its steps. Answered when all of it is durable, or nothing. Never
  /// throws, and its stage never fails.
  CompletionStage<PlanSubmission> submit(PlanRequest request);

  /// Submits a plan and waits until it is durable. Not for an actor's thread.
  ///
  /// @throws PlanRefusedException if it is not accepted
  PlanHandle submitOrThrow(PlanRequest request);

  /// The handle of a plan, whether it exists or not.
  PlanHandle plan(PlanId id);
}
