package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.handoff.ledger.WireMessage;
import java.time.Duration;

/// What a plan, or its partition in its place, answers. A reply to a command that leads to facts is
/// sent after they are durable, and not before.
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

  /// The answer to a question.
  record Current(PlanState state) implements PlanReply {
    @Override
    public PlanId plan() {
      return state.id();
    }
  }

  /// A new plan is durable, with all of its steps.
  record Accepted(PlanId plan) implements PlanReply {}

  /// What became of an apply.
  record ApplyEnded(PlanId plan, ApplyOutcome outcome) implements PlanReply {}

  record NotFound(PlanId plan) implements PlanReply {}

  /// Whether the command will take effect later is not known; ask again.
  record Unavailable(PlanId plan, String reason, Duration retryAfter) implements PlanReply {}

  /// The store cannot keep what the command would have to write.
  record Refused(PlanId plan, String reason) implements PlanReply {}
}
