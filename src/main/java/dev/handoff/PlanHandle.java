package dev.handoff;

import dev.handoff.Cancelling.CancelRequestAnswer;
import dev.handoff.plan.PlanAnswer;
import dev.handoff.plan.PlanCommand;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanReply;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/// A plan that was accepted. Holds nothing but its id: cheap to keep, to lose and to make again.
public final class PlanHandle {

  private final PlanId id;
  private final PlanCalls calls;

  PlanHandle(PlanId id, PlanCalls calls) {
    this.id = id;
    this.calls = calls;
  }

  public PlanId id() {
    return id;
  }

  /// The plan as it is now, live or ended, with everything in it; empty if there is none.
  public CompletionStage<Optional<PlanInfo>> info() {
    return new PlanLook(PlanLook.live(calls), false).at(id);
  }

  /// Completes when the plan has ended, however long that takes, with how it ended: never
  /// exceptionally for the plan's own end.
  ///
  /// Fails with a [PlanNotFoundException] if there is none.
  public CompletionStage<PlanOutcome> result() {
    return new PlanWatch(id, calls).start().thenApply(PlanEnds::of);
  }

  /// Completes when the plan has ended, with all there is to know of it then.
  public CompletionStage<PlanInfo> ended() {
    return new PlanWatch(id, calls)
        .start()
        .thenCompose(new PlanLook(PlanLook.live(calls), true)::at);
  }

  /// Ends the plan with all of its steps. Idempotent.
  public PlanCancelling cancel(String reason) {
    return cancel(reason, "api");
  }

  /// Ends the plan with all of its steps, and says who asked for it. Idempotent. Changesets that
  /// are open are dropped; what was committed stays.
  public PlanCancelling cancel(String reason, String by) {
    var reply = calls.tell(id, new PlanCommand.Cancel(reason, by));
    return new PlanCancelling(
        reply.thenApply(PlanHandle::requested), reply.thenCompose(this::ended));
  }

  private static CancelRequestAnswer requested(PlanReply reply) {
    return switch (reply) {
      case PlanReply.Answered(var plan, PlanAnswer.Done done) -> CancelRequestAnswer.REQUESTED;
      case PlanReply.Answered(var plan, PlanAnswer.AlreadyFinished over) ->
          CancelRequestAnswer.ALREADY_FINISHED;
      case PlanReply.NotFound none -> CancelRequestAnswer.NOT_FOUND;
      case PlanReply other -> throw new UnavailableException(other);
    };
  }

  private CompletionStage<PlanCancelReport> ended(PlanReply reply) {
    return switch (requested(reply)) {
      case REQUESTED -> ended().thenApply(PlanEnds::report);
      case ALREADY_FINISHED ->
          calls
              .state(id)
              .thenApply(
                  found ->
                      found.isEmpty()
                          ? new PlanCancelReport.NotFound(id)
                          : new PlanCancelReport.Already(id, found.get().status()));
      case NOT_FOUND -> CompletableFuture.completedStage(new PlanCancelReport.NotFound(id));
    };
  }

  /// Opens a failed or cancelled plan again, under the same id: what had not succeeded runs again,
  /// with all of its attempts; what had succeeded and what it changed stays.
  ///
  /// @param by who asks for it; recorded with the plan
  public CompletionStage<PlanRetryAnswer> retry(String by) {
    return calls.tell(id, new PlanCommand.Retry(by)).handle(this::retried);
  }

  private PlanRetryAnswer retried(@Nullable PlanReply reply, @Nullable Throwable failure) {
    return switch (reply) {
      case PlanReply.Answered(var plan, PlanAnswer.Done done) -> new PlanRetryAnswer.Reopened(this);
      case PlanReply.Answered(var plan, PlanAnswer.AlreadyFinished(var status)) ->
          new PlanRetryAnswer.NotPossible(id, "it has " + status.label());
      case PlanReply.Answered(var plan, PlanAnswer.Declined(var reason)) ->
          new PlanRetryAnswer.NotPossible(id, reason);
      case PlanReply.Answered(var plan, PlanAnswer.Busy busy) ->
          new PlanRetryAnswer.NotPossible(id, "its changes are being applied");
      case PlanReply.NotFound none -> new PlanRetryAnswer.NotFound(id);
      case PlanReply.Unavailable(var plan, var reason, var retryAfter) ->
          new PlanRetryAnswer.Unavailable(reason, retryAfter);
      case PlanReply other ->
          new PlanRetryAnswer.Unavailable(
              new UnavailableException(other).getMessage(), calls.retryAfter());
      case null ->
          new PlanRetryAnswer.Unavailable(
              UnavailableException.of(failure).getMessage(), calls.retryAfter());
    };
  }

  @Override
  public String toString() {
    return id.value();
  }
}
