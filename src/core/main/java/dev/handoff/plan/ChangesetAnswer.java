package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.handoff.internal.text.Durations;
import dev.handoff.json.NamedAnswer;
import java.time.Duration;

/// Answer to a start, close or discard of a changeset.
@JsonSubTypes({
  @JsonSubTypes.Type(value = ChangesetAnswer.Done.class, name = "done"),
  @JsonSubTypes.Type(value = ChangesetAnswer.ChangesetClosed.class, name = "changeset-closed"),
  @JsonSubTypes.Type(value = ChangesetAnswer.UnknownChangeset.class, name = "unknown-changeset"),
  @JsonSubTypes.Type(value = ChangesetAnswer.NotPossible.class, name = "not-possible"),
  @JsonSubTypes.Type(value = ChangesetAnswer.NotFound.class, name = "not-found"),
  @JsonSubTypes.Type(value = ChangesetAnswer.Unavailable.class, name = "unavailable")
})
public sealed interface ChangesetAnswer extends NamedAnswer {

  /// The command was carried out.
  record Done(String changeset) implements ChangesetAnswer {}

  /// The changeset is no longer open.
  ///
  /// @param committed true for a committed changeset; false for one that was discarded, or dropped
  ///   with its plan
  record ChangesetClosed(String changeset, boolean committed) implements ChangesetAnswer {}

  record UnknownChangeset(String changeset) implements ChangesetAnswer {}

  /// The plan has ended, is being stopped, or has its maximum of changesets.
  record NotPossible(String reason) implements ChangesetAnswer {}

  record NotFound(PlanId plan) implements ChangesetAnswer {}

  /// The engine cannot answer now. Whether the command was carried out is unknown.
  record Unavailable(
      String reason, @JsonFormat(shape = JsonFormat.Shape.STRING) Duration retryAfter)
      implements ChangesetAnswer {}

  /// Id of the changeset after a successful command.
  ///
  /// @throws IllegalStateException for all other answers
  default String orThrow() {
    return switch (this) {
      case Done(var changeset) -> changeset;
      case ChangesetClosed(var changeset, boolean committed) ->
          throw new IllegalStateException(
              "changeset %s is %s".formatted(changeset, committed ? "closed" : "dropped"));
      case UnknownChangeset(var changeset) ->
          throw new IllegalStateException("there is no changeset \"%s\"".formatted(changeset));
      case NotPossible(var reason) -> throw new IllegalStateException(reason);
      case NotFound(var plan) ->
          throw new IllegalStateException("plan %s does not exist".formatted(plan));
      case Unavailable(var reason, var retryAfter) ->
          throw new IllegalStateException(
              "%s; try again in %s".formatted(reason, Durations.exact(retryAfter)));
    };
  }
}
