package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/// What a plan says to a command, once what follows from it is durable.
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

  /// It is so, with this command or already before it.
  record Done() implements PlanAnswer {}

  /// The plan has ended, and stays so.
  record AlreadyFinished(PlanStatus status) implements PlanAnswer {}

  /// Not possible in this state.
  record Declined(String reason) implements PlanAnswer {}

  record Started(String changeset) implements PlanAnswer {}

  /// The changes are in this changeset, and nowhere else.
  ///
  /// @param entries how many the changeset has since
  record Recorded(String changeset, int entries) implements PlanAnswer {}

  /// Nothing was recorded: no changeset is open.
  record NoActiveChangeset() implements PlanAnswer {}

  /// Nothing was recorded: the changeset is not open any more.
  ///
  /// @param committed whether it was closed; else it was discarded, or dropped with its plan
  record ChangesetClosed(String changeset, boolean committed) implements PlanAnswer {}

  record UnknownChangeset(String changeset) implements PlanAnswer {}

  /// Nothing was recorded: callers have as much in open changesets as a plan may hold.
  record Full(String reason) implements PlanAnswer {}

  /// Another apply of the plan is under way.
  record Busy(Applying apply) implements PlanAnswer {}

  /// No committed changeset has a change in it.
  record NothingToApply() implements PlanAnswer {}
}
