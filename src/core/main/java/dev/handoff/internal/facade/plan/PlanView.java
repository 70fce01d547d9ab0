package dev.handoff.internal.facade.plan;

import dev.handoff.JobInfo;
import dev.handoff.internal.plan.OpenChangeset;
import dev.handoff.internal.plan.PlanHead;
import dev.handoff.internal.plan.PlanPhase;
import dev.handoff.internal.plan.PlanSpec;
import dev.handoff.internal.plan.PlanState;
import dev.handoff.internal.plan.StartedApply;
import dev.handoff.internal.plan.StepState;
import dev.handoff.internal.plan.WrittenApply;
import dev.handoff.internal.plan.change.Changeset;
import dev.handoff.plan.ChangesetInfo;
import dev.handoff.plan.PlanInfo;
import dev.handoff.plan.PlanPage;
import dev.handoff.plan.Resolution;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/// Converts a plan's state into the plain values of [PlanInfo].
record PlanView(PlanState state) {

  static PlanInfo of(PlanState state, List<PlanInfo.Step> steps) {
    return new PlanView(state).info(steps);
  }

  /// @param job snapshot of the step's job, if the job was read
  /// @param plan snapshot of the child plan, if the step is a plan
  static PlanInfo.Step step(
      PlanSpec.Step spec, StepState state, Optional<JobInfo> job, Optional<PlanInfo> plan) {
    return new PlanInfo.Step(
        spec.name(),
        spec.after(),
        word(state.status(), job, plan),
        state.status(),
        Optional.ofNullable(state.reason()),
        Optional.ofNullable(spec.type()),
        Optional.ofNullable(spec.job()),
        job.map(one -> OptionalInt.of(one.attempt())).orElse(OptionalInt.empty()),
        job.flatMap(JobInfo::progress),
        job,
        plan);
  }

  private static String word(
      PlanInfo.StepStatus stage, Optional<JobInfo> job, Optional<PlanInfo> plan) {
    if (stage != PlanInfo.StepStatus.RELEASED) {
      return stage.label();
    }
    return plan.map(child -> child.status().label())
        .or(() -> job.map(one -> one.status().label()))
        .orElse("queued");
  }

  private PlanInfo info(List<PlanInfo.Step> steps) {
    var spec = state.spec();
    var book = state.book();
    var origin = Optional.ofNullable(spec.origin());
    return new PlanInfo(
        state.id(),
        spec.name(),
        state.status(),
        reason(),
        spec.maxParallel(),
        spec.failFast(),
        Optional.ofNullable(spec.deadline()),
        origin.map(PlanSpec.Origin::parent),
        origin.map(PlanSpec.Origin::step),
        origin.map(PlanSpec.Origin::root),
        origin.map(PlanSpec.Origin::path),
        state.createdAt(),
        steps.stream().flatMap(step -> firstStart(step).stream()).min(Instant::compareTo),
        state.endedAt(),
        cancel(),
        steps,
        book.chain().stream().map(PlanView::changeset).toList(),
        book.open().stream().map(PlanView::open).toList(),
        book.applied().stream().map(PlanView::applied).toList(),
        Optional.ofNullable(book.applying()).map(StartedApply::target),
        book.resolutions().stream().map(PlanView::decision).toList());
  }

  private Optional<String> reason() {
    return switch (state.phase()) {
      case PlanPhase.Failed(var reason, var at) -> Optional.of(reason);
      case PlanPhase.Cancelled over -> Optional.of(over.reason());
      case PlanPhase.Stopping stopping -> Optional.of(stopping.reason());
      case PlanPhase.Waiting none -> Optional.empty();
      case PlanPhase.Running none -> Optional.empty();
      case PlanPhase.Succeeded none -> Optional.empty();
    };
  }

  private Optional<PlanInfo.Cancel> cancel() {
    return switch (state.phase()) {
      case PlanPhase.Stopping(var cause, var reason, var by, var at)
          when cause == PlanPhase.StopCause.CANCEL ->
          Optional.of(new PlanInfo.Cancel(reason, by));
      case PlanPhase.Cancelled(var reason, var by, var at) ->
          Optional.of(new PlanInfo.Cancel(reason, by));
      case PlanPhase other -> Optional.empty();
    };
  }

  private static Optional<Instant> firstStart(PlanInfo.Step step) {
    return step.plan()
        .flatMap(PlanInfo::startedAt)
        .or(() -> step.info().flatMap(PlanView::firstStart));
  }

  private static Optional<Instant> firstStart(JobInfo job) {
    return job.attempts().isEmpty() ? job.startedAt() : job.attempts().getFirst().startedAt();
  }

  private static PlanInfo.OpenChangeset open(OpenChangeset set) {
    return new PlanInfo.OpenChangeset(
        set.id(), set.label(), set.by(), set.at(), set.entries().size());
  }

  private static PlanInfo.Decision decision(Resolution made) {
    var choice = made.choice().name().toLowerCase(Locale.ROOT);
    return new PlanInfo.Decision(made.path(), choice, made.by(), made.at());
  }

  static ChangesetInfo changeset(Changeset set) {
    var by = set.by();
    return new ChangesetInfo(
        set.id(),
        set.label(),
        Optional.ofNullable(by.step()),
        Optional.ofNullable(by.job()),
        by.job() == null ? OptionalInt.empty() : OptionalInt.of(by.attempt()),
        Optional.ofNullable(by.caller()),
        set.at(),
        set.changes(),
        set.decisions(),
        set.hash());
  }

  static PlanPage.Overview overview(PlanHead head) {
    return new PlanPage.Overview(
        head.id(),
        head.name(),
        head.status(),
        head.steps(),
        head.done(),
        head.changes(),
        head.createdAt(),
        Optional.ofNullable(head.endedAt()));
  }

  static PlanInfo.Applied applied(WrittenApply apply) {
    return new PlanInfo.Applied(apply.target(), apply.sets(), apply.files(), apply.at());
  }
}
