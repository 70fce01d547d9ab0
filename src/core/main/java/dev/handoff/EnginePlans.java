package dev.handoff;

import dev.handoff.internal.ask.AnswerStage;
import dev.handoff.internal.engine.Gateway;
import dev.handoff.internal.plan.PlanDraft;
import dev.handoff.internal.plan.PlanReply;
import dev.handoff.plan.PlanId;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/// Public API of the plans.
record EnginePlans(Handoff.Inside inside, Handoff handoff) implements PlanCommands {

  @Override
  public CompletionStage<PlanSubmission> submit(PlanRequest request) {
    Objects.requireNonNull(request, "request");
    var drafted = PlanDrafting.of(request, inside.submissions());
    return drafted.draft() == null
        ? AnswerStage.of(CompletableFuture.completedStage(drafted.refusal()))
        : submit(drafted.draft());
  }

  private CompletionStage<PlanSubmission> submit(PlanDraft draft) {
    return inside
        .calls()
        .<Gateway.Command, PlanReply, PlanSubmission>answer(
            inside.doors().gateway(),
            replyTo -> new Gateway.SubmitPlan(draft, replyTo),
            EngineCalls.PATIENCE,
            (reply, failure) -> submission(draft, reply, failure));
  }

  private PlanSubmission submission(
      PlanDraft draft, @Nullable PlanReply reply, @Nullable Throwable failure) {
    var retryAfter = inside.settings().ledger().retryAfter();
    return switch (reply) {
      case PlanReply.Accepted(var id) -> new PlanSubmission.Accepted(plan(id));
      case PlanReply.Refused(var id, var reason) ->
          new PlanSubmission.Refused(
              "plan %s cannot be stored: %s; make its payloads smaller, or several plans of it"
                  .formatted(draft.name(), reason));
      case PlanReply.Unavailable(var id, var reason, var later) ->
          new PlanSubmission.Unavailable(reason, later);
      case PlanReply other ->
          new PlanSubmission.Unavailable(new UnavailableException(other).getMessage(), retryAfter);
      case null ->
          new PlanSubmission.Unavailable(UnavailableException.of(failure).getMessage(), retryAfter);
    };
  }

  @Override
  public PlanHandle submitOrThrow(PlanRequest request) {
    return submit(request).toCompletableFuture().join().orThrow();
  }

  @Override
  public PlanHandle plan(PlanId id) {
    Objects.requireNonNull(id, "id");
    return new PlanHandle(id, new PlanCalls(inside, handoff));
  }

  @Override
  public CompletionStage<PlanPage> list(Optional<String> cursor, int limit) {
    Objects.requireNonNull(cursor, "cursor");
    return AnswerStage.of(new PlanLists(inside).page(cursor, limit));
  }
}
