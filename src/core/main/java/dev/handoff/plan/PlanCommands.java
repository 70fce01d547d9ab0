package dev.handoff.plan;

import dev.handoff.InvalidRequestException;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/// Plans of an engine. A null argument causes a [NullPointerException] that names the argument.
public interface PlanCommands {

  /// Submits a plan with all of its steps. The stage completes when the whole plan is durable, or
  /// nothing of it. The stage never fails.
  CompletionStage<PlanSubmission> submit(PlanRequest request);

  /// Submits a plan and blocks until the plan is durable. Do not call this method on an actor's
  /// thread.
  ///
  /// @throws PlanRefusedException if the plan is not accepted
  PlanHandle submitOrThrow(PlanRequest request);

  /// Handle of a plan id; the plan need not exist.
  PlanHandle plan(PlanId id);

  /// One page of plans, live and ended, newest first. Child plans appear only inside their parent.
  /// A plan that is being reopened during this call may be missing.
  ///
  /// @param cursor end of the previous page; empty for the first page
  /// @param limit 1 to 1,000
  /// @throws InvalidRequestException if an argument is invalid
  CompletionStage<PlanPage> list(Optional<String> cursor, int limit);
}
