package dev.handoff;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.handoff.job.NamedAnswer;
import dev.handoff.plan.PlanId;
import java.time.Duration;

/// What became of a changeset that was to be started, closed or discarded.
@JsonSubTypes({
  @JsonSubTypes.Type(value = ChangesetAnswer.Done.class, name = "done"),
  @JsonSubTypes.Type(value = ChangesetAnswer.ChangesetClosed.class, name = "changeset-closed"),
  @JsonSubTypes.Type(value = ChangesetAnswer.UnknownChangeset.class, name = "unknown-changeset"),
  @JsonSubTypes.Type(value = ChangesetAnswer.NotPossible.class, name = "not-possible"),
  @JsonSubTypes.Type(value = ChangesetAnswer.NotFound.class, name = "not-found"),
  @JsonSubTypes.Type(value = ChangesetAnswer.Unavailable.class, name = "unavailable")
})
public sealed interface ChangesetAnswer extends NamedAnswer {

  /// It is so.
  record Done(String changeset) implements ChangesetAnswer {}

  /// It is not open any more.
  ///
  /// @param committed whether it was closed; else it was discarded, or dropped with its plan
  record ChangesetClosed(String changeset, boolean committed) implements ChangesetAnswer {}

  record UnknownChangeset(String changeset) implements ChangesetAnswer {}

  /// The plan is over or being stopped, or has as many as it may.
  record NotPossible(String reason) implements ChangesetAnswer {}

  record NotFound(PlanId plan) implements ChangesetAnswer {}

  /// Not now. Whether it was done is not known.
  record Unavailable(
      String reason, @JsonFormat(shape = JsonFormat.Shape.STRING) Duration retryAfter)
      implements ChangesetAnswer {}

  /// The id of the changeset, if it is so.
  ///
  /// @throws IllegalStateException in every other case
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
