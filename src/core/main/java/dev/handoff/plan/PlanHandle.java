package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonValue;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/// Handle of an accepted plan. A handle holds little more than the plan's id, so handles are cheap
/// to keep, drop and recreate. A null argument causes an immediate [NullPointerException] that
/// names the argument.
public interface PlanHandle {

  /// Id of the plan; also the JSON form of the handle.
  @JsonValue
  PlanId id();

  /// Current snapshot of the plan with its steps, live or ended; empty if the plan does not exist.
  CompletionStage<Optional<PlanInfo>> info();

  /// Outcome of the plan. The stage completes when the plan has ended, however long that takes. A
  /// failed or cancelled plan is an outcome, not an exception.
  ///
  /// The stage fails with a [PlanNotFoundException] if the plan does not exist.
  CompletionStage<PlanOutcome> result();

  /// Final snapshot of the plan. The stage completes when the plan has ended. It fails with a
  /// [PlanNotFoundException] if the plan does not exist.
  CompletionStage<PlanInfo> ended();

  /// Cancels the plan and all of its steps. Idempotent.
  PlanCancelHandle cancel(String reason);

  /// Cancels the plan and all of its steps, and records the caller. Idempotent. Open changesets are
  /// dropped; committed changesets stay.
  PlanCancelHandle cancel(String reason, String by);

  /// Reopens a failed or cancelled plan under the same id. Steps that had not succeeded run again
  /// with a full set of attempts; succeeded steps and their changes stay.
  ///
  /// @param by caller; recorded with the plan
  CompletionStage<PlanRetryAnswer> retry(String by);

  /// Opens a changeset. A plan may have several open changesets.
  ///
  /// @param label subject of the changeset
  /// @param by caller; recorded with the changeset
  CompletionStage<ChangesetAnswer> startChangeset(String label, String by);

  /// Records a change in a changeset. The answer names the changeset that holds the change. The
  /// stage never fails.
  CompletionStage<ChangeAnswer> record(String changeset, Change change);

  /// Records all changes, in list order, or none of them.
  CompletionStage<ChangeAnswer> record(String changeset, List<Change> changes);

  /// Records a change in the most recently opened changeset that is open when the plan handles the
  /// request. Use this method only if no other caller opens changesets in this plan.
  CompletionStage<ChangeAnswer> record(Change change);

  /// Commits a changeset: its changes become part of the plan's changes.
  CompletionStage<ChangesetAnswer> close(String changeset);

  /// Drops an open changeset with all of its changes.
  CompletionStage<ChangesetAnswer> discard(String changeset);

  /// Committed changesets of this plan and of its child plans, in order. The stage fails with a
  /// [PlanNotFoundException] if the plan does not exist.
  CompletionStage<List<ChangesetInfo>> changesets();

  /// Combined diff of all committed changesets; for a child plan, the diff of its own steps. The
  /// stage fails with a [PlanNotFoundException] if the plan does not exist.
  CompletionStage<PlanDiff> diff();

  /// Diff of one changeset, committed or open; empty if the changeset does not exist.
  CompletionStage<Optional<PlanDiff>> diff(String changeset);

  /// Diff of the changes that one step made. The stage fails with a [PlanStepNotFoundException] if
  /// the step does not exist, and with a [PlanNotFoundException] if the plan does not exist.
  ///
  /// @param step name of the step; in a child plan, the path of step names from this plan,
  ///   separated by `/`
  CompletionStage<PlanDiff> diffOfStep(String step);

  /// Unresolved conflicts: contradicting changes without a decision. The plan cannot be applied
  /// while conflicts remain.
  CompletionStage<List<PlanConflict>> conflicts();

  /// Resolves a conflict in favour of one side.
  ///
  /// @param choice ours or theirs
  /// @param by caller who decides; recorded with the decision
  /// @throws dev.handoff.InvalidRequestException if the choice is [Resolution.Choice#CONTENT]
  CompletionStage<ResolveAnswer> resolve(String path, Resolution.Choice choice, String by);

  /// Resolves a conflict with this content for the file.
  CompletionStage<ResolveAnswer> resolve(String path, byte[] content, String by);

  /// Dry run of an apply to this directory: writes nothing. The stage never fails.
  CompletionStage<ApplyAnswer> check(Path target);

  /// Writes the combined changes of all committed changesets into a directory: all of them or none.
  /// A plan runs one apply at a time. Repeating an apply is harmless. The stage never fails.
  CompletionStage<ApplyAnswer> apply(Path target);

  /// Checks the integrity of everything that was committed, to the last byte. The check reads all
  /// stored contents.
  CompletionStage<ChainVerdict> verify();
}
