package dev.handoff.internal.plan;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.handoff.internal.ledger.WireMessage;
import dev.handoff.plan.PlanId;
import java.time.Duration;

/// Replies of a plan, or of its partition on its behalf. Replies to commands follow durable facts,
/// never precede them.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "reply")
@JsonSubTypes({
  @JsonSubTypes.Type(value = PlanReply.Answered.class, name = "answered"),
  @JsonSubTypes.Type(value = PlanReply.Current.class, name = "current"),
  @JsonSubTypes.Type(value = PlanReply.Accepted.class, name = "accepted"),
  @JsonSubTypes.Type(value = PlanReply.ApplyEnded.class, name = "apply-ended"),
  @JsonSubTypes.Type(value = PlanReply.NotFound.class, name = "not-found"),
  @JsonSubTypes.Type(value = PlanReply.Unavailable.class, name = "unavailable"),
  @JsonSubTypes.Type(value = PlanReply.Refused.class, name = "refused")
})
public sealed interface PlanReply extends WireMessage {

  PlanId plan();

  record Answered(PlanId plan, PlanAnswer answer) implements PlanReply {}

  /// Current state, in reply to a query.
  record Current(PlanState state) implements PlanReply {
    @Override
    public PlanId plan() {
      return state.id();
    }
  }

  /// Durable new plan with all of its steps.
  record Accepted(PlanId plan) implements PlanReply {}

  /// Outcome of an apply.
  record ApplyEnded(PlanId plan, ApplyOutcome outcome) implements PlanReply {}

  record NotFound(PlanId plan) implements PlanReply {}

  /// Outcome unknown: the command may still take effect. Retry.
  record Unavailable(PlanId plan, String reason, Duration retryAfter) implements PlanReply {}

  /// Store cannot keep the command's facts.
  record Refused(PlanId plan, String reason) implements PlanReply {}
}
