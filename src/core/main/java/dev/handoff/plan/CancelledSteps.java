package dev.handoff.plan;

import dev.handoff.JobInfo;
import dev.handoff.JobStatus;
import java.util.ArrayList;
import java.util.List;

/// Steps of a cancelled plan, by what became of them.
final class CancelledSteps {

  private final List<String> stopped = new ArrayList<>();
  private final List<String> finished = new ArrayList<>();
  private final List<String> failed = new ArrayList<>();
  private final List<String> neverRan = new ArrayList<>();
  private final List<String> abandoned = new ArrayList<>();

  private CancelledSteps() {}

  /// Report of a cancel, derived from the plan's final state.
  static PlanCancelReport of(PlanInfo plan) {
    if (plan.status() != PlanStatus.CANCELLED) {
      return new PlanCancelReport.Already(plan.id(), plan.status());
    }
    var ends = new CancelledSteps();
    ends.look(plan, "");
    return new PlanCancelReport.Cancelled(
        plan.id(),
        plan.reason().orElseThrow(),
        ends.stopped,
        ends.finished,
        ends.failed,
        ends.neverRan,
        ends.abandoned,
        plan.changesets());
  }

  private void look(PlanInfo plan, String at) {
    for (var step : plan.steps()) {
      var path = at + step.name();
      if (step.plan().isPresent()) {
        look(step.plan().get(), path + "/");
      } else {
        placeOf(step).add(path);
      }
    }
  }

  private List<String> placeOf(PlanInfo.Step step) {
    return switch (step.stage()) {
      case SUCCEEDED -> finished;
      case FAILED -> failed;
      case CANCELLED, RELEASED, WAITING -> unfinished(step);
    };
  }

  /// List for an unfinished step. A step that failed before its plan was reopened, and has not run
  /// since, counts as failed.
  private List<String> unfinished(PlanInfo.Step step) {
    if (step.info().isEmpty() || step.info().get().attempt() == 0) {
      return neverRan;
    }
    var job = step.info().get();
    if (job.status() == JobStatus.FAILED) {
      return failed;
    }
    return job.cancel().filter(JobInfo.Cancel::abandoned).isPresent() ? abandoned : stopped;
  }
}
