package dev.handoff.internal.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.handoff.internal.ledger.StoredEvent;
import dev.handoff.internal.plan.change.ChangeEntry;
import dev.handoff.internal.text.SafeText;
import dev.handoff.plan.Resolution;
import java.time.Instant;
import java.util.List;

/// Facts of plans. Facts of their steps are separate. A fact is durable before its effects are
/// visible, and stays readable for ever: fields are only added.
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

  /// Fact of a step that has no fact of its own.
  sealed interface OfStep extends PlanFact {}

  /// Fact of the plan's change ledger.
  sealed interface OfChanges extends PlanFact {}

  /// Way of an ended plan out of history and back.
  sealed interface OfHistory extends PlanFact {}

  /// @param held whether the plan waits for its parent plan
  record Submitted(
      PlanSpec spec, Instant at, @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean held)
      implements PlanFact {}

  record Released(Instant at) implements PlanFact {}

  record StopRequested(PlanPhase.Stopping stop) implements PlanFact {}

  /// Step to retry that history no longer has.
  record StepLost(String step, Instant at) implements OfStep {}

  /// Step to retry, cancelled before its turn: the plan is being stopped, or a predecessor did not
  /// succeed.
  record StepDropped(String step, String reason, Instant at) implements OfStep {
    public StepDropped {
      reason = SafeText.clean(reason, 1024);
    }
  }

  /// All steps have ended. Open changesets of callers are dropped.
  record Ended(PlanPhase.Ended how) implements PlanFact {}

  /// Ended plan, reopened with its state from history: unsuccessful steps run again.
  record Reopened(PlanState state, String by, Instant at) implements PlanFact {
    public Reopened {
      by = SafeText.clean(by, 256);
    }
  }

  /// Ended plan, loaded from history for a write. Its phase stays final.
  record Recalled(PlanState state) implements OfHistory {}

  /// Recalled plan went back to history.
  record Filed() implements OfHistory {}

  record ChangesetStarted(String changeset, String label, String by, Instant at)
      implements OfChanges {
    public ChangesetStarted {
      label = SafeText.clean(label, 256);
      by = SafeText.clean(by, 256);
    }
  }

  record ChangesRecorded(String changeset, List<ChangeEntry> entries) implements OfChanges {
    public ChangesRecorded {
      entries = List.copyOf(entries);
    }
  }

  /// Changeset of a caller was committed.
  ///
  /// @param body SHA-256 of the stored body
  record ChangesetClosed(String changeset, String body, Instant at) implements OfChanges {}

  record ChangesetDiscarded(String changeset, Instant at) implements OfChanges {}

  record Resolved(Resolution resolution) implements OfChanges {}

  record ApplyStarted(StartedApply apply) implements OfChanges {}

  record ApplyWritten(WrittenApply apply) implements OfChanges {}

  record ApplyUndone(int number, String reason, Instant at) implements OfChanges {
    public ApplyUndone {
      reason = SafeText.clean(reason, 1024);
    }
  }
}
