package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.handoff.plan.change.ContentRef;
import dev.handoff.plan.change.Resolution;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.jspecify.annotations.Nullable;

/// What a plan can be asked. Pure: who asked and who wants the answer travels in the envelope,
/// [Plan.Command].
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

  /// What only the plan's own actor asks of its state. Never sent with [Plan.Do].
  sealed interface Internal extends PlanCommand, NoSerializationVerificationNeeded {}

  /// Lets a child plan begin. Idempotent.
  record Release() implements PlanCommand {}

  /// Ends the plan with all of its steps. Idempotent.
  record Cancel(String reason, String by) implements PlanCommand {
    public Cancel {
      Objects.requireNonNull(reason, "reason");
      Objects.requireNonNull(by, "by");
    }
  }

  /// Opens a failed or cancelled plan again: what did not succeed runs again.
  ///
  /// @param withParent whether the plan that this one is a step of is opened again, and says so
  record Retry(String by, @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean withParent)
      implements PlanCommand {
    public Retry {
      Objects.requireNonNull(by, "by");
    }

    public Retry(String by) {
      this(by, false);
    }
  }

  /// Opens a changeset. Answered with its id.
  record StartChangeset(String label, String by) implements PlanCommand {
    public StartChangeset {
      Objects.requireNonNull(label, "label");
      Objects.requireNonNull(by, "by");
    }
  }

  /// Adds changes, whose contents are in the store.
  ///
  /// @param changeset null = the one that was opened last and is open when this is handled
  record Record(@Nullable String changeset, List<Change> changes) implements PlanCommand {
    public Record {
      changes = List.copyOf(changes);
    }
  }

  /// One change, before it has its place in a changeset.
  record Change(String path, @Nullable ContentRef before, @Nullable ContentRef after) {}

  /// Commits a changeset: it becomes a link of the chain.
  record Close(String changeset) implements PlanCommand {
    public Close {
      Objects.requireNonNull(changeset, "changeset");
    }
  }

  /// Drops a changeset that is open, with everything in it.
  record Discard(String changeset) implements PlanCommand {
    public Discard {
      Objects.requireNonNull(changeset, "changeset");
    }
  }

  /// Decides a conflict.
  record Resolve(Resolution resolution) implements PlanCommand {}

  /// Writes what all committed changesets come to into a directory.
  ///
  /// @param target its real path
  record Apply(String target) implements PlanCommand {
    public Apply {
      Objects.requireNonNull(target, "target");
    }
  }

  /// Its body is in the store: the changeset can be committed.
  ///
  /// @param entries how many the body has: with more since, it is not what is to be committed
  record Commit(String changeset, String body, int entries) implements Internal {}

  /// Ends the plan if nothing is left to wait for.
  record Settle() implements Internal {}

  /// The time of a plan is over.
  ///
  /// @param since when that run of it began
  record DeadlinePassed(Instant since) implements Internal {}

  /// History knows nothing of a step that was to run again.
  record LoseStep(String step) implements Internal {}

  /// A step that was to run again is over as it was, and is not to.
  record DropStep(String step) implements Internal {}

  /// Ends the plan because its own actor cannot go on.
  record GiveUp(String reason) implements Internal {}

  record ApplyWritten(int number, int files) implements Internal {}

  record ApplyUndone(int number, String reason) implements Internal {}
}
