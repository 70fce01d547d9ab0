package dev.handoff.internal.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.handoff.internal.plan.change.FileEdit;
import dev.handoff.plan.Resolution;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.jspecify.annotations.Nullable;

/// Commands of a plan. They are pure values: the reply address is in the envelope, [Plan.Command].
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.WRAPPER_ARRAY)
@JsonSubTypes({
  @JsonSubTypes.Type(value = PlanCommand.Release.class, name = "release"),
  @JsonSubTypes.Type(value = PlanCommand.Cancel.class, name = "cancel"),
  @JsonSubTypes.Type(value = PlanCommand.Retry.class, name = "retry"),
  @JsonSubTypes.Type(value = PlanCommand.StartChangeset.class, name = "start-changeset"),
  @JsonSubTypes.Type(value = PlanCommand.Record.class, name = "record"),
  @JsonSubTypes.Type(value = PlanCommand.Close.class, name = "close"),
  @JsonSubTypes.Type(value = PlanCommand.Discard.class, name = "discard"),
  @JsonSubTypes.Type(value = PlanCommand.Resolve.class, name = "resolve"),
  @JsonSubTypes.Type(value = PlanCommand.Apply.class, name = "apply")
})
public sealed interface PlanCommand {

  /// Commands that only the plan's own actor issues. Never sent with [Plan.Do].
  sealed interface Internal extends PlanCommand, NoSerializationVerificationNeeded {}

  /// Event outside of the changesets.
  sealed interface OutsideEvent extends Internal {}

  /// Starts a child plan. Idempotent.
  record Release() implements PlanCommand {}

  /// Cancels the plan and all of its steps. Idempotent.
  record Cancel(String reason, String by) implements PlanCommand {
    public Cancel {
      Objects.requireNonNull(reason, "reason");
      Objects.requireNonNull(by, "by");
    }
  }

  /// Reopens a failed or cancelled plan: steps that did not succeed run again.
  ///
  /// @param withParent whether the parent plan is reopened and sends this command
  record Retry(String by, @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean withParent)
      implements PlanCommand {
    public Retry {
      Objects.requireNonNull(by, "by");
    }

    public Retry(String by) {
      this(by, false);
    }
  }

  /// Opens a changeset. The answer holds its id.
  record StartChangeset(String label, String by) implements PlanCommand {
    public StartChangeset {
      Objects.requireNonNull(label, "label");
      Objects.requireNonNull(by, "by");
    }
  }

  /// Records changes whose contents are already stored.
  ///
  /// @param changeset null = the most recently opened changeset that is open when the command is
  ///   handled
  record Record(@Nullable String changeset, List<FileEdit> changes) implements PlanCommand {
    public Record {
      changes = List.copyOf(changes);
    }
  }

  /// Commits a changeset: it becomes a link of the chain.
  record Close(String changeset) implements PlanCommand {
    public Close {
      Objects.requireNonNull(changeset, "changeset");
    }
  }

  /// Discards an open changeset and its changes.
  record Discard(String changeset) implements PlanCommand {
    public Discard {
      Objects.requireNonNull(changeset, "changeset");
    }
  }

  /// Resolves a conflict.
  record Resolve(Resolution resolution) implements PlanCommand {}

  /// Writes the combined changes of all committed changesets into a directory.
  ///
  /// @param target real path of the directory
  record Apply(String target) implements PlanCommand {
    public Apply {
      Objects.requireNonNull(target, "target");
    }
  }

  /// Commits a changeset whose body is stored.
  ///
  /// @param entries number of entries in the body; if the changeset has more by now, the commit is
  ///   declined
  record Commit(String changeset, String body, int entries) implements Internal {}

  /// Ends the plan if no work is left.
  record Settle() implements Internal {}

  /// Reports that the plan's deadline has passed.
  ///
  /// @param since start of the run that the deadline belongs to
  record DeadlinePassed(Instant since) implements OutsideEvent {}

  /// Reports a step to retry that history no longer has.
  record LoseStep(String step) implements OutsideEvent {}

  /// Reports a step to retry that has already ended and must not run any more.
  record DropStep(String step) implements OutsideEvent {}

  /// Ends a plan whose actor cannot continue.
  record GiveUp(String reason) implements OutsideEvent {}

  record ApplyWritten(int number, int files) implements OutsideEvent {}

  record ApplyUndone(int number, String reason) implements OutsideEvent {}
}
