package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonFormat.Shape;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.handoff.json.PlanJson;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

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
    Optional<PlanCancelInfo> cancel,
    List<StepInfo> steps,
    List<ChangesetInfo> changesets,
    @JsonProperty("open") List<OpenChangesetInfo> openChangesets,
    List<AppliedInfo> applied,
    Optional<String> applying,
    List<DecisionInfo> decisions) {

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

  private static int done(StepInfo step) {
    return step.plan().map(PlanInfo::done).orElse(step.stage().isTerminal() ? 1 : 0);
  }

  /// The plan as JSON text, as `handoff plan show --json` prints it.
  public String toJson() {
    return PlanJson.write(this).toString();
  }
}
