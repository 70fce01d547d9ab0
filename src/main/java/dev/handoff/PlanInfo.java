package dev.handoff;

import dev.handoff.plan.Applied;
import dev.handoff.plan.OpenSet;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanPhase;
import dev.handoff.plan.PlanSpec;
import dev.handoff.plan.PlanState;
import dev.handoff.plan.PlanStatus;
import dev.handoff.plan.StepState;
import dev.handoff.plan.StepStatus;
import dev.handoff.plan.change.Changeset;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// A plan as it was at one moment, with everything in it: an immutable snapshot that nobody can
/// change the plan through.
///
/// @param state all there is to know of the plan itself
/// @param steps in the order of the request
public record PlanInfo(PlanState state, List<Step> steps) {

  public PlanInfo {
    steps = List.copyOf(steps);
  }

  /// A step as it was at that moment.
  ///
  /// @param job the job, if it was looked at: it is while it may run, and afterwards if the plan
  ///   has no more than 500 steps
  /// @param plan the child plan, for a step that is one
  public record Step(
      PlanSpec.Step spec, StepState state, Optional<JobInfo> job, Optional<PlanInfo> plan) {

    public String name() {
      return spec.name();
    }

    /// In one word: that of the job or the plan, while it may run.
    public String status() {
      if (state.status() != StepStatus.RELEASED) {
        return state.status().label();
      }
      return plan.map(child -> child.status().label())
          .or(() -> job.map(one -> one.status().label()))
          .orElse("queued");
    }

    /// Why it failed or was cancelled; empty if it did not.
    public Optional<String> reason() {
      return Optional.ofNullable(state.reason());
    }
  }

  public PlanId id() {
    return state.id();
  }

  public String name() {
    return state.spec().name();
  }

  public PlanStatus status() {
    return state.status();
  }

  /// Why it failed or was cancelled, or is being stopped; empty if it was not.
  public Optional<String> reason() {
    return switch (state.phase()) {
      case PlanPhase.Failed(var reason, var at) -> Optional.of(reason);
      case PlanPhase.Cancelled over -> Optional.of(over.reason());
      case PlanPhase.Stopping stopping -> Optional.of(stopping.reason());
      case PlanPhase.Waiting none -> Optional.empty();
      case PlanPhase.Running none -> Optional.empty();
      case PlanPhase.Succeeded none -> Optional.empty();
    };
  }

  public Instant createdAt() {
    return state.createdAt();
  }

  /// When its first step was started, as far as that was looked at.
  public Optional<Instant> startedAt() {
    return steps.stream().flatMap(step -> startedAt(step).stream()).min(Instant::compareTo);
  }

  private static Optional<Instant> startedAt(Step step) {
    return step.plan()
        .flatMap(PlanInfo::startedAt)
        .or(() -> step.job().flatMap(job -> Optional.ofNullable(JobJson.firstStart(job.state()))));
  }

  public Optional<Instant> endedAt() {
    return state.endedAt();
  }

  /// The committed changesets of this plan and all plans below it, in order. A plan that is a step
  /// has none of its own.
  public List<Changeset> changesets() {
    return state.book().chain();
  }

  /// The changesets that callers have open.
  public List<OpenSet> openChangesets() {
    return state.book().open();
  }

  /// Where all of it has been written.
  public List<Applied> applied() {
    return state.book().applied();
  }

  /// How many steps there are, those of child plans instead of the plans themselves.
  public int size() {
    return steps.stream().mapToInt(step -> step.plan().map(PlanInfo::size).orElse(1)).sum();
  }

  /// How many of them have ended.
  public int done() {
    return steps.stream()
        .mapToInt(
            step ->
                step.plan().map(PlanInfo::done).orElse(step.state().status().isTerminal() ? 1 : 0))
        .sum();
  }

  /// The plan as JSON text, as `handoff plan show --json` prints it.
  public String toJson() {
    return PlanJson.write(this).toString();
  }
}
