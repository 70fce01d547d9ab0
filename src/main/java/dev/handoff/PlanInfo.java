package dev.handoff;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonFormat.Shape;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// A plan as it was at one moment, with everything in it: plain values, and nothing behind them.
/// Its JSON is that of [#toJson], the command line, and any ObjectMapper of Jackson.
///
/// @param reason why it failed or was cancelled, or is being stopped; empty if it was not
/// @param maxParallel how many of its steps run at once
/// @param failFast whether the first step that fails stops all others
/// @param deadline how long it may take; empty = as long as it likes
/// @param parent the plan that it is a step of
/// @param step its name there
/// @param root the plan at the top, which keeps the changes of all plans below it
/// @param path of the step from there, with `/` between the names
/// @param startedAt when its first step was started, as far as that was looked at
/// @param finishedAt when it ended; empty while it has not
/// @param cancel empty unless somebody asked for its end
/// @param steps in the order of the request
/// @param changesets the committed ones of this plan and all plans below it, in order. A plan that
///   is a step has none of its own
/// @param openChangesets those that callers have open
/// @param applied where all of it has been written
/// @param applying the directory that it is being written to
/// @param decisions about conflicts
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

  /// Whether everything that has not ended is being stopped.
  @JsonIgnore
  public boolean isStopping() {
    return switch (status) {
      case CANCELLING -> true;
      case FAILING -> failFast || reason.isPresent();
      case WAITING, RUNNING, SUCCEEDED, FAILED, CANCELLED -> false;
    };
  }

  /// How many steps there are, those of child plans instead of the plans themselves.
  public int size() {
    return steps.stream().mapToInt(step -> step.plan().map(PlanInfo::size).orElse(1)).sum();
  }

  /// How many of them have ended.
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
