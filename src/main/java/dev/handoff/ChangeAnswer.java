package dev.handoff;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.handoff.job.NamedAnswer;
import java.time.Duration;

/// What became of changes that were to be recorded. All of them are recorded, or none.
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

  /// They are in this changeset, and nowhere else.
  ///
  /// @param entries how many the changeset has since
  record Recorded(String changeset, int entries) implements ChangeAnswer {}

  /// Nothing was recorded: the plan has no open changeset.
  record NoActiveChangeset() implements ChangeAnswer {}

  /// Nothing was recorded: the changeset is not open any more.
  ///
  /// @param committed whether it was closed; else it was discarded, or dropped with its plan
  record ChangesetClosed(String changeset, boolean committed) implements ChangeAnswer {}

  /// Nothing was recorded: the plan never had such a changeset.
  record UnknownChangeset(String changeset) implements ChangeAnswer {}

  /// Nothing was recorded: a content that is named by this hash is not stored. Hand it over.
  record UnknownBase(String sha256) implements ChangeAnswer {}

  /// Nothing was recorded: a change breaks a rule.
  record Invalid(String reason) implements ChangeAnswer {}

  /// Nothing was recorded: the changeset, or the plan, holds as much as it may.
  record Full(String reason) implements ChangeAnswer {}

  /// Not now. Whether they were recorded is not known, unless the changes are an attempt's: then
  /// they were not.
  record Unavailable(
      String reason, @JsonFormat(shape = JsonFormat.Shape.STRING) Duration retryAfter)
      implements ChangeAnswer {}

  /// Nothing was recorded, and will not be: the attempt or the plan is over.
  record Refused(String reason) implements ChangeAnswer {}

  /// The same if the changes are recorded.
  ///
  /// @throws ChangeRefusedException in every other case
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
