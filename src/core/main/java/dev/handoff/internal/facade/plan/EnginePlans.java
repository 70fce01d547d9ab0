package dev.handoff.internal.facade.plan;

import dev.handoff.internal.ask.AnswerStage;
import dev.handoff.internal.engine.Gateway;
import dev.handoff.internal.facade.EngineCalls;
import dev.handoff.internal.facade.JobCalls;
import dev.handoff.internal.facade.UnavailableReasons;
import dev.handoff.internal.plan.PlanDraft;
import dev.handoff.internal.plan.PlanReply;
import dev.handoff.plan.PlanCommands;
import dev.handoff.plan.PlanHandle;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanPage;
import dev.handoff.plan.PlanRequest;
import dev.handoff.plan.PlanSubmission;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/// Public API of the plans.
public record EnginePlans(JobCalls jobs) implements PlanCommands {

  @Override
  public CompletionStage<PlanSubmission> submit(PlanRequest request) {
    Objects.requireNonNull(request, "request");
    var drafted = PlanDrafting.of(request, jobs.engine().submissions());
    return drafted.draft() == null
        ? AnswerStage.of(CompletableFuture.completedStage(drafted.refusal()))
        : submit(drafted.draft());
  }

  private CompletionStage<PlanSubmission> submit(PlanDraft draft) {
    return jobs.engine()
        .calls()
        .<Gateway.Command, PlanReply, PlanSubmission>answer(
            jobs.engine().doors().gateway(),
            replyTo -> new Gateway.SubmitPlan(draft, replyTo),
            EngineCalls.PATIENCE,
            (reply, failure) -> submission(draft, reply, failure));
  }

  private PlanSubmission submission(
      PlanDraft draft, @Nullable PlanReply reply, @Nullable Throwable failure) {
    var retryAfter = jobs.engine().settings().ledger().retryAfter();
    return switch (reply) {
      case PlanReply.Accepted(var id) -> new PlanSubmission.Accepted(plan(id));
      case PlanReply.Refused(var id, var reason) ->
          new PlanSubmission.Refused(
              "plan %s cannot be stored: %s; make its payloads smaller, or several plans of it"
                  .formatted(draft.name(), reason));
      case PlanReply.Unavailable(var id, var reason, var later) ->
          new PlanSubmission.Unavailable(reason, later);
      case PlanReply other ->
          new PlanSubmission.Unavailable(UnavailableReasons.of(other), retryAfter);
      case null -> new PlanSubmission.Unavailable(UnavailableReasons.of(failure), retryAfter);
    };
  }

  @Override
  public PlanHandle submitOrThrow(PlanRequest request) {
    return submit(request).toCompletableFuture().join().orThrow();
  }

  @Override
  public PlanHandle plan(PlanId id) {
    Objects.requireNonNull(id, "id");
    return new EnginePlanHandle(id, new PlanCalls(jobs));
  }

  @Override
  public CompletionStage<PlanPage> list(Optional<String> cursor, int limit) {
    Objects.requireNonNull(cursor, "cursor");
    return AnswerStage.of(new PlanLists(jobs.engine()).page(cursor, limit));
  }
}
