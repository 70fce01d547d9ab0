package dev.handoff.plan;

import java.time.Duration;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/// Who waits for the fate of a command.
///
/// @param replyTo null = nobody: the plan asked itself
record Asker(@Nullable ActorRef<PlanReply> replyTo) {

  static final Asker NOBODY = new Asker(null);

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
