package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.handoff.job.Text;
import dev.handoff.ledger.StoredEvent;
import dev.handoff.plan.change.Entry;
import dev.handoff.plan.change.Resolution;
import java.time.Instant;
import java.util.List;

/// What can happen to a plan besides what happens to its steps. A fact is written before anybody
/// hears of it, and read for ever: fields are only added.
@JsonSubTypes({
  @JsonSubTypes.Type(value = PlanFact.Submitted.class, name = "plan-submitted"),
  @JsonSubTypes.Type(value = PlanFact.Released.class, name = "plan-released"),
  @JsonSubTypes.Type(value = PlanFact.StopRequested.class, name = "plan-stop-requested"),
  @JsonSubTypes.Type(value = PlanFact.StepLost.class, name = "plan-step-lost"),
  @JsonSubTypes.Type(value = PlanFact.StepDropped.class, name = "plan-step-dropped"),
  @JsonSubTypes.Type(value = PlanFact.Ended.class, name = "plan-ended"),
  @JsonSubTypes.Type(value = PlanFact.Reopened.class, name = "plan-reopened"),
  @JsonSubTypes.Type(value = PlanFact.Recalled.class, name = "plan-recalled"),
  @JsonSubTypes.Type(value = PlanFact.Filed.class, name = "plan-filed"),
  @JsonSubTypes.Type(value = PlanFact.ChangesetStarted.class, name = "changeset-started"),
  @JsonSubTypes.Type(value = PlanFact.ChangesRecorded.class, name = "changes-recorded"),
  @JsonSubTypes.Type(value = PlanFact.ChangesetClosed.class, name = "changeset-closed"),
  @JsonSubTypes.Type(value = PlanFact.ChangesetDiscarded.class, name = "changeset-discarded"),
  @JsonSubTypes.Type(value = PlanFact.Resolved.class, name = "conflict-resolved"),
  @JsonSubTypes.Type(value = PlanFact.ApplyStarted.class, name = "apply-started"),
  @JsonSubTypes.Type(value = PlanFact.ApplyWritten.class, name = "apply-written"),
  @JsonSubTypes.Type(value = PlanFact.ApplyUndone.class, name = "apply-undone")
})
public sealed interface PlanFact extends StoredEvent {

  /// @param held whether it waits for its parent plan
  record Submitted(
      PlanSpec spec, Instant at, @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean held)
      implements PlanFact {}

  record Released(Instant at) implements PlanFact {}

  record StopRequested(PlanPhase.Stopping stop) implements PlanFact {}

  /// A step that was to run again is not kept any more.
  record StepLost(String step, Instant at) implements PlanFact {}

  /// A step that was to run again will not: its plan is stopped before its turn has come.
  record StepDropped(String step, String reason, Instant at) implements PlanFact {
    public StepDropped {
      reason = Text.clean(reason, 1024);
    }
  }

  /// All steps have ended. Changesets that callers still had open are dropped.
  record Ended(PlanPhase.Ended how) implements PlanFact {}

  /// An ended plan is opened again with what history knew of it: what did not succeed will run.
  record Reopened(PlanState state, String by, Instant at) implements PlanFact {
    public Reopened {
      by = Text.clean(by, 256);
    }
  }

  /// An ended plan comes back from history for a while, to be written to. It stays ended.
  record Recalled(PlanState state) implements PlanFact {}

  /// A recalled plan goes back to history.
  record Filed() implements PlanFact {}

  record ChangesetStarted(String changeset, String label, String by, Instant at)
      implements PlanFact {
    public ChangesetStarted {
      label = Text.clean(label, 256);
      by = Text.clean(by, 256);
    }
  }

  record ChangesRecorded(String changeset, List<Entry> entries) implements PlanFact {
    public ChangesRecorded {
      entries = List.copyOf(entries);
    }
  }

  /// A caller's changeset is committed.
  ///
  /// @param body the SHA-256 of what it holds, which is in the store
  record ChangesetClosed(String changeset, String body, Instant at) implements PlanFact {}

  record ChangesetDiscarded(String changeset, Instant at) implements PlanFact {}

  record Resolved(Resolution resolution) implements PlanFact {}

  record ApplyStarted(Applying apply) implements PlanFact {}

  record ApplyWritten(Applied apply) implements PlanFact {}

  record ApplyUndone(int number, String reason, Instant at) implements PlanFact {
    public ApplyUndone {
      reason = Text.clean(reason, 1024);
    }
  }
}
