package dev.handoff.internal.plan;

import dev.handoff.plan.PlanId;
import java.time.Duration;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/// Requester of a command's answer.
///
/// @param replyTo null = no requester: the plan itself issued the command
record PlanRequester(@Nullable ActorRef<PlanReply> replyTo) {

  static final PlanRequester NOBODY = new PlanRequester(null);

  boolean isNobody() {
    return replyTo == null;
  }

  void answer(PlanId plan, PlanAnswer answer) {
    tell(new PlanReply.Answered(plan, answer));
  }

  void unavailable(PlanId plan, String reason, Duration retryAfter) {
    tell(new PlanReply.Unavailable(plan, reason, retryAfter));
  }

  void tell(PlanReply reply) {
    if (replyTo != null) {
      replyTo.tell(reply);
    }
  }
}
