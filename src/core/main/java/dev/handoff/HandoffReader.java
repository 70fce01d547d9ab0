package dev.handoff;

import dev.handoff.internal.facade.plan.StoreReader;
import dev.handoff.plan.ChainVerdict;
import dev.handoff.plan.PlanConflict;
import dev.handoff.plan.PlanDiff;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanInfo;
import dev.handoff.plan.PlanPage;
import dev.handoff.plan.PlanStatus;
import dev.handoff.plan.PlanStepNotFoundException;
import java.util.List;
import java.util.Optional;

/// Read-only access to a store that no engine has open. The reader recovers the state in memory; it
/// runs no jobs and writes nothing. For tools: its methods block, and it is not thread-safe. Every
/// method throws [StoreException] if the store cannot be read. Methods about changes throw a
/// [dev.handoff.plan.UnreadableChanges] if changes are missing or damaged.
public interface HandoffReader extends AutoCloseable {

  /// Maximum number of jobs or plans in one page.
  int MAX_LIMIT = 10_000;

  /// Opens a store for reading.
  ///
  /// @throws StoreException.Held if an engine has the store open; the message names the engine
  /// @throws StoreException.Missing if the store does not exist
  static HandoffReader open(StoreSettings.Kind kind) {
    return StoreReader.open(kind);
  }

  /// Properties of the store.
  StoreInfo info();

  /// Job as stored.
  Optional<JobInfo> job(JobId id);

  /// One page of jobs, live and ended, newest first.
  ///
  /// @param after cursor of the previous page: the id of its last job
  /// @param limit 1 to 10,000
  /// @throws InvalidRequestException if the filter is invalid
  /// @throws IllegalArgumentException if the cursor or the limit is invalid
  JobPage jobs(JobFilter filter, Optional<String> after, int limit);

  /// Plan as stored, with its steps.
  Optional<PlanInfo> plan(PlanId id);

  /// One page of plans, live and ended, newest first. Child plans appear only inside their parent.
  ///
  /// @param status only plans with this status; empty for all
  /// @param after cursor of the previous page: the id of its last plan
  /// @param limit 1 to 10,000
  /// @throws IllegalArgumentException if the limit is out of range
  PlanPage plans(Optional<PlanStatus> status, Optional<PlanId> after, int limit);

  /// Combined diff of all committed changesets of a plan; for a child plan, the diff of its own
  /// steps. Empty if the plan does not exist.
  Optional<PlanDiff> diff(PlanId plan);

  /// Diff of one changeset; empty if the plan or the changeset does not exist.
  Optional<PlanDiff> diff(PlanId plan, String changeset);

  /// Diff of the changes that one step made; empty if the plan does not exist.
  ///
  /// @param step name of the step; in a child plan, the path of step names from this plan,
  ///   separated by `/`
  /// @throws PlanStepNotFoundException if the plan has no such step
  Optional<PlanDiff> diffOfStep(PlanId plan, String step);

  /// Unresolved conflicts: contradicting changes without a decision; empty if the plan does not
  /// exist.
  Optional<List<PlanConflict>> conflicts(PlanId plan);

  /// Integrity of everything that was committed, to the last byte; empty if the plan does not
  /// exist.
  Optional<ChainVerdict> verify(PlanId plan);

  @Override
  void close();
}
