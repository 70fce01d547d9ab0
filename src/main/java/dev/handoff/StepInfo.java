package dev.handoff;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.handoff.job.JobId;
import dev.handoff.plan.StepStatus;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// A step of a plan as it was at one moment.
///
/// @param after the steps that it waits for
/// @param status in one word: that of the job or the plan, while it may run
/// @param stage the same as its plan sees it; not in the JSON
/// @param reason why it failed or was cancelled; empty if it did not
/// @param type of the job; empty for a child plan
/// @param job its id; empty for a child plan
/// @param attempt of the job, as far as that was looked at: it is while it may run, and afterwards
///   if the plan has no more than 500 steps
/// @param progress of the job, as far as that was looked at
/// @param info the job itself, as far as it was looked at; not in the JSON
/// @param plan the child plan, for a step that is one
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
