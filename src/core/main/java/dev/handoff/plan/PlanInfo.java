package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonFormat.Shape;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.handoff.JobId;
import dev.handoff.JobInfo;
import dev.handoff.json.JobJson;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/// Snapshot of a plan with its steps: plain values, no link to the engine. The JSON form is that of
/// [#toJson], the command line, and any ObjectMapper of Jackson.
///
/// @param reason cause of a failure, a cancel or a stop under way; empty otherwise
/// @param maxParallel maximum number of steps that run at once
/// @param failFast whether the first failed step stops all other steps
/// @param deadline time limit of the plan; empty = unlimited
/// @param parent plan that has this plan as a step
/// @param step name of that step
/// @param root topmost plan, which stores the changes of all plans below
/// @param path path of the step from the topmost plan, names separated by `/`
/// @param startedAt start of the earliest step, among the steps that were read
/// @param finishedAt end of the plan; empty before
/// @param cancel cancel request; empty without one
/// @param steps steps in the order of the request
/// @param changesets committed changesets of this plan and all plans below, in order. A child plan
///   has none of its own
/// @param openChangesets changesets that callers have open
/// @param applied completed applies
/// @param applying target directory of the apply under way
/// @param decisions resolved conflicts
public record PlanInfo(
    PlanId id,
    String name,
    PlanStatus status,
    Optional<String> reason,
    int maxParallel,
    boolean failFast,
    @JsonFormat(shape = Shape.STRING) Optional<Duration> deadline,
    Optional<PlanId> parent,
    Optional<String> step,
    Optional<PlanId> root,
    Optional<String> path,
    @JsonFormat(shape = Shape.STRING) Instant createdAt,
    @JsonFormat(shape = Shape.STRING) Optional<Instant> startedAt,
    @JsonFormat(shape = Shape.STRING) Optional<Instant> finishedAt,
    Optional<Cancel> cancel,
    List<Step> steps,
    List<ChangesetInfo> changesets,
    @JsonProperty("open") List<OpenChangeset> openChangesets,
    List<Applied> applied,
    Optional<String> applying,
    List<Decision> decisions) {

  public PlanInfo {
    steps = List.copyOf(steps);
    changesets = List.copyOf(changesets);
    openChangesets = List.copyOf(openChangesets);
    applied = List.copyOf(applied);
    decisions = List.copyOf(decisions);
  }

  /// Whether the plan is stopping all steps that have not ended.
  @JsonIgnore
  public boolean isStopping() {
    return switch (status) {
      case CANCELLING -> true;
      case FAILING -> failFast || reason.isPresent();
      case WAITING, RUNNING, SUCCEEDED, FAILED, CANCELLED -> false;
    };
  }

  /// Number of steps; a child plan counts as the number of its own steps.
  public int size() {
    return steps.stream().mapToInt(step -> step.plan().map(PlanInfo::size).orElse(1)).sum();
  }

  /// Number of ended steps, counted like [#size].
  public int done() {
    return steps.stream().mapToInt(PlanInfo::done).sum();
  }

  private static int done(Step step) {
    return step.plan().map(PlanInfo::done).orElse(step.stage().isTerminal() ? 1 : 0);
  }

  /// The plan as JSON text, as `handoff plan show --json` prints it.
  public String toJson() {
    return JobJson.write(this).toString();
  }

  /// Snapshot of a plan step.
  ///
  /// @param after names of the steps that this step depends on
  /// @param status status in one word; for a released step, the status of its job or child plan
  /// @param stage status from the view of the plan; not in the JSON
  /// @param reason cause of a failure or cancel; empty otherwise
  /// @param type type of the job; empty for a child plan
  /// @param job id of the job; empty for a child plan
  /// @param attempt attempt number of the job, if the job was read. Jobs of released steps are
  ///   always read, jobs of ended steps only in plans with at most 500 steps
  /// @param progress progress of the job, if the job was read
  /// @param info snapshot of the job, if the job was read; not in the JSON
  /// @param plan snapshot of the child plan, if the step is a plan
  public record Step(
      String name,
      List<String> after,
      String status,
      @JsonIgnore StepStatus stage,
      Optional<String> reason,
      Optional<String> type,
      Optional<JobId> job,
      OptionalInt attempt,
      Optional<JobInfo.Progress> progress,
      @JsonIgnore Optional<JobInfo> info,
      Optional<PlanInfo> plan) {

    public Step {
      after = List.copyOf(after);
      stage = stage == null ? stageOf(status) : stage;
      info = info == null ? Optional.empty() : info;
    }

    private static StepStatus stageOf(String status) {
      for (var stage : StepStatus.values()) {
        if (stage.label().equals(status)) {
          return stage;
        }
      }
      return StepStatus.RELEASED;
    }
  }

  /// Cancel request of a plan: its reason and its caller.
  public record Cancel(String reason, String by) {}

  /// A changeset that a caller has opened; its changes count once it is closed.
  ///
  /// @param by caller
  /// @param changes number of changes so far
  public record OpenChangeset(
      String id,
      String label,
      String by,
      @JsonFormat(shape = Shape.STRING) Instant at,
      int changes) {}

  /// A completed apply of a plan.
  ///
  /// @param target real path of the directory
  /// @param changesets number of changesets of the chain that the apply contains
  /// @param files number of created, modified and deleted files
  public record Applied(
      String target, int changesets, int files, @JsonFormat(shape = Shape.STRING) Instant at) {}

  /// A decision about a conflict.
  ///
  /// @param path path of the file
  /// @param choice `ours`, `theirs`, or `content` for a content passed by the caller
  public record Decision(
      String path, String choice, String by, @JsonFormat(shape = Shape.STRING) Instant at) {}

  /// Status of a step within its plan.
  public enum StepStatus {
    /// Waiting for predecessors or for `maxParallel`.
    WAITING,
    /// Released to run, not ended.
    RELEASED,
    SUCCEEDED,
    FAILED,
    /// Stopped, or never started.
    CANCELLED;

    public boolean isTerminal() {
      return switch (this) {
        case WAITING, RELEASED -> false;
        case SUCCEEDED, FAILED, CANCELLED -> true;
      };
    }

    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
