package dev.handoff.internal.plan;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.handoff.plan.PlanStatus;

/// Answer of a plan to a command, sent once the resulting facts are durable.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.WRAPPER_ARRAY)
@JsonSubTypes({
  @JsonSubTypes.Type(value = PlanAnswer.Done.class, name = "done"),
  @JsonSubTypes.Type(value = PlanAnswer.AlreadyFinished.class, name = "already-finished"),
  @JsonSubTypes.Type(value = PlanAnswer.Declined.class, name = "declined"),
  @JsonSubTypes.Type(value = PlanAnswer.Started.class, name = "started"),
  @JsonSubTypes.Type(value = PlanAnswer.Recorded.class, name = "recorded"),
  @JsonSubTypes.Type(value = PlanAnswer.NoActiveChangeset.class, name = "no-active-changeset"),
  @JsonSubTypes.Type(value = PlanAnswer.ChangesetClosed.class, name = "changeset-closed"),
  @JsonSubTypes.Type(value = PlanAnswer.UnknownChangeset.class, name = "unknown-changeset"),
  @JsonSubTypes.Type(value = PlanAnswer.Full.class, name = "full"),
  @JsonSubTypes.Type(value = PlanAnswer.Busy.class, name = "busy"),
  @JsonSubTypes.Type(value = PlanAnswer.NothingToApply.class, name = "nothing-to-apply")
})
public sealed interface PlanAnswer {

  /// Command is effective, now or through an earlier command.
  record Done() implements PlanAnswer {}

  /// Plan has ended for good.
  record AlreadyFinished(PlanStatus status) implements PlanAnswer {}

  /// Command is not possible in this state.
  record Declined(String reason) implements PlanAnswer {}

  record Started(String changeset) implements PlanAnswer {}

  /// Changes were recorded, in this changeset only.
  ///
  /// @param entries number of entries in the changeset afterwards
  record Recorded(String changeset, int entries) implements PlanAnswer {}

  /// Nothing was recorded: no changeset is open.
  record NoActiveChangeset() implements PlanAnswer {}

  /// Nothing was recorded: changeset no longer open.
  ///
  /// @param committed whether the changeset was closed; false = discarded, or dropped with its plan
  record ChangesetClosed(String changeset, boolean committed) implements PlanAnswer {}

  record UnknownChangeset(String changeset) implements PlanAnswer {}

  /// Nothing was recorded: the open changesets of callers have reached the plan's limit.
  record Full(String reason) implements PlanAnswer {}

  /// An apply of the plan is under way.
  record Busy(StartedApply apply) implements PlanAnswer {}

  /// No committed changeset contains a change.
  record NothingToApply() implements PlanAnswer {}
}
