package dev.handoff.internal.facade.attempt;

import dev.handoff.Json;
import dev.handoff.context.ContextRequest;
import dev.handoff.context.PlanDecisions;
import dev.handoff.internal.ask.CallbackThreads;
import dev.handoff.internal.dispatch.worker.HandlerAttempt;
import dev.handoff.internal.facade.CancellableWait;
import dev.handoff.internal.facade.JobCalls;
import dev.handoff.internal.facade.UnavailableReasons;
import dev.handoff.internal.plan.capture.EarlierDecisions;
import dev.handoff.internal.plan.capture.EarlierSteps;
import dev.handoff.internal.plan.capture.WorkingCopies;
import dev.handoff.internal.plan.change.StoreContents;
import dev.handoff.plan.Capture;
import dev.handoff.plan.WorkingCopy;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/// Access of an attempt to its plan, if the job is a step.
final class AttemptStep {

  private final HandlerAttempt attempt;
  private final AttemptPlan plan;
  private final @Nullable AttemptChanges changes;
  private final @Nullable AttemptCopies copies;

  AttemptStep(
      HandlerAttempt attempt,
      CompletableFuture<JobCalls> jobs,
      InstantSource clock,
      WorkingCopies directory) {
    this.attempt = attempt;
    this.plan = new AttemptPlan(attempt, jobs);
    this.changes = attempt.spec().isStep() ? new AttemptChanges(attempt, plan, clock) : null;
    this.copies = changes == null ? null : new AttemptCopies(attempt, plan, changes, directory);
  }

  Optional<String> planId() {
    return Optional.ofNullable(attempt.spec().plan());
  }

  Optional<String> name() {
    return changes == null ? Optional.empty() : Optional.of(plan.step());
  }

  AttemptChanges changes() {
    if (changes == null) {
      throw new IllegalStateException(
          "job %s is no step of a plan, so there is nothing that its changes, decisions and"
                  .formatted(attempt.job())
              + " results of other steps could belong to: submit it as a step of a plan");
    }
    return changes;
  }

  Json result(String step) throws InterruptedException {
    changes();
    attempt.heartbeat();
    return CancellableWait.until(plan.result(step), attempt.cancellation());
  }

  WorkingCopy workingCopy(Capture capture) throws InterruptedException {
    changes();
    return copies.make(capture);
  }

  /// Adds the decisions of earlier steps to a step's request, unless the request names its own. The
  /// stage never fails: unreadable decisions are left out, with a line in the job's log.
  CompletionStage<ContextRequest> with(ContextRequest request) {
    if (changes == null || request.plan() != null) {
      return CompletableFuture.completedStage(request);
    }
    return decisions()
        .handle(
            (decisions, failure) -> {
              if (decisions != null) {
                return request.plan(decisions);
              }
              attempt.log(
                  "what was decided in the plan cannot be read: " + UnavailableReasons.of(failure));
              return request;
            });
  }

  private CompletionStage<PlanDecisions> decisions() {
    return plan.upwards()
        .thenCombineAsync(
            plan.engine(),
            (plans, engine) ->
                EarlierDecisions.of(
                    EarlierSteps.of(plan.places(plans)),
                    plans.getLast().book().chain(),
                    new StoreContents(engine.store())),
            CallbackThreads.chores());
  }

  /// Commits the changes after the handler's return.
  void commit() throws InterruptedException {
    if (changes != null) {
      changes.commit();
    }
  }

  /// Ends all recording and removes the working copies, at any end of the attempt.
  void close() {
    if (changes != null) {
      changes.close();
      copies.close();
    }
  }
}
