package dev.handoff;

import dev.handoff.ask.CallbackThreads;
import dev.handoff.context.ContextRequest;
import dev.handoff.context.PlanDecisions;
import dev.handoff.dispatch.Attempt;
import dev.handoff.job.Json;
import dev.handoff.plan.capture.EarlierDecisions;
import dev.handoff.plan.capture.EarlierSteps;
import dev.handoff.plan.capture.WorkingCopies;
import dev.handoff.plan.change.StoreContents;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/// What an attempt has of its plan, if its job is a step of one.
final class AttemptStep {

  private final Attempt attempt;
  private final AttemptPlan plan;
  private final @Nullable AttemptChanges changes;
  private final @Nullable AttemptCopies copies;

  AttemptStep(
      Attempt attempt,
      CompletableFuture<Handoff> handoff,
      InstantSource clock,
      WorkingCopies directory) {
    this.attempt = attempt;
    this.plan = new AttemptPlan(attempt, handoff);
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
    return Patience.until(plan.result(step), attempt.cancellation());
  }

  WorkingCopy workingCopy(Capture capture) throws InterruptedException {
    changes();
    return copies.make(capture);
  }

  /// The request with what the steps before have decided, if it is for a step and does not say so
  /// itself. The stage never fails: what cannot be read is missing, and the job's log says so.
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
                  "what was decided in the plan cannot be read: "
                      + UnavailableException.of(failure).getMessage());
              return request;
            });
  }

  private CompletionStage<PlanDecisions> decisions() {
    return plan.upwards()
        .thenCombineAsync(
            plan.inside(),
            (plans, inside) ->
                EarlierDecisions.of(
                    EarlierSteps.of(plan.places(plans)),
                    plans.getLast().book().chain(),
                    new StoreContents(inside.store())),
            CallbackThreads.chores());
  }

  /// The handler has returned.
  void commit() throws InterruptedException {
    if (changes != null) {
      changes.commit();
    }
  }

  /// The attempt ends, however that is.
  void close() {
    if (changes != null) {
      changes.close();
      copies.close();
    }
  }
}
