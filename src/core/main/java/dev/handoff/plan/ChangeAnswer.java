package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.handoff.internal.text.Durations;
import dev.handoff.json.NamedAnswer;
import java.time.Duration;

/// Answer to a recording of changes. All changes are recorded, or none.
@JsonSubTypes({
  @JsonSubTypes.Type(value = ChangeAnswer.Recorded.class, name = "recorded"),
  @JsonSubTypes.Type(value = ChangeAnswer.NoActiveChangeset.class, name = "no-active-changeset"),
  @JsonSubTypes.Type(value = ChangeAnswer.ChangesetClosed.class, name = "changeset-closed"),
  @JsonSubTypes.Type(value = ChangeAnswer.UnknownChangeset.class, name = "unknown-changeset"),
  @JsonSubTypes.Type(value = ChangeAnswer.UnknownBase.class, name = "unknown-base"),
  @JsonSubTypes.Type(value = ChangeAnswer.Invalid.class, name = "invalid"),
  @JsonSubTypes.Type(value = ChangeAnswer.Full.class, name = "full"),
  @JsonSubTypes.Type(value = ChangeAnswer.Unavailable.class, name = "unavailable"),
  @JsonSubTypes.Type(value = ChangeAnswer.Refused.class, name = "refused")
})
public sealed interface ChangeAnswer extends NamedAnswer {

  /// The changes are in this changeset, and in no other.
  ///
  /// @param entries number of changes in the changeset now
  record Recorded(String changeset, int entries) implements ChangeAnswer {}

  /// Nothing was recorded: the plan has no open changeset.
  record NoActiveChangeset() implements ChangeAnswer {}

  /// Nothing was recorded: the changeset is no longer open.
  ///
  /// @param committed true for a committed changeset; false for one that was discarded, or dropped
  ///   with its plan
  record ChangesetClosed(String changeset, boolean committed) implements ChangeAnswer {}

  /// Nothing was recorded: the plan never had this changeset.
  record UnknownChangeset(String changeset) implements ChangeAnswer {}

  /// Nothing was recorded: the store has no content with this hash. Pass the bytes instead.
  record UnknownBase(String sha256) implements ChangeAnswer {}

  /// Nothing was recorded: a change breaks a rule.
  record Invalid(String reason) implements ChangeAnswer {}

  /// Nothing was recorded: the changeset or the plan is full.
  record Full(String reason) implements ChangeAnswer {}

  /// The engine cannot answer now. Whether the changes were recorded is unknown; the changes of an
  /// attempt were not recorded.
  record Unavailable(
      String reason, @JsonFormat(shape = JsonFormat.Shape.STRING) Duration retryAfter)
      implements ChangeAnswer {}

  /// Nothing was or will be recorded: the attempt or the plan has ended.
  record Refused(String reason) implements ChangeAnswer {}

  /// This answer, if the changes are recorded.
  ///
  /// @throws ChangeRefusedException for all other answers
  default Recorded orThrow() {
    return switch (this) {
      case Recorded recorded -> recorded;
      case NoActiveChangeset none ->
          throw new ChangeRefusedException(this, "No active changeset: start one first");
      case ChangesetClosed(var set, boolean committed) ->
          throw new ChangeRefusedException(
              this,
              "changeset %s is %s: start another one"
                  .formatted(set, committed ? "closed" : "dropped"));
      case UnknownChangeset(var set) ->
          throw new ChangeRefusedException(
              this, "the plan has no changeset \"%s\": start one first".formatted(set));
      case UnknownBase(var sha256) ->
          throw new ChangeRefusedException(
              this, "no content %s is stored: hand over its bytes".formatted(sha256));
      case Invalid(var reason) -> throw new ChangeRefusedException(this, reason);
      case Full(var reason) -> throw new ChangeRefusedException(this, reason);
      case Unavailable(var reason, var retryAfter) ->
          throw new ChangeRefusedException(
              this, "%s; try again in %s".formatted(reason, Durations.exact(retryAfter)));
      case Refused(var reason) -> throw new ChangeRefusedException(this, reason);
    };
  }
}
