package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.handoff.JobId;
import dev.handoff.JobInfo;
import dev.handoff.JobProgress;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// Snapshot of a plan step.
///
/// @param after names of the steps that this step depends on
/// @param status status in one word; for a released step, the status of its job or child plan
/// @param stage status from the view of the plan; not in the JSON
/// @param reason cause of a failure or cancel; empty otherwise
/// @param type type of the job; empty for a child plan
/// @param job id of the job; empty for a child plan
/// @param attempt attempt number of the job, if the job was read. Jobs of released steps are always
///   read, jobs of ended steps only in plans with at most 500 steps
/// @param progress progress of the job, if the job was read
/// @param info snapshot of the job, if the job was read; not in the JSON
/// @param plan snapshot of the child plan, if the step is a plan
public record StepInfo(
    String name,
    List<String> after,
    String status,
    @JsonIgnore StepStatus stage,
    Optional<String> reason,
    Optional<String> type,
    Optional<JobId> job,
    OptionalInt attempt,
    Optional<JobProgress> progress,
    @JsonIgnore Optional<JobInfo> info,
    Optional<PlanInfo> plan) {

  public StepInfo {
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
