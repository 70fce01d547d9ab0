package dev.handoff;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.handoff.job.NamedAnswer;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanStatus;
import java.util.List;

/// What came of the cancel of a plan.
@JsonSubTypes({
  @JsonSubTypes.Type(value = PlanCancelReport.Cancelled.class, name = "cancelled"),
  @JsonSubTypes.Type(value = PlanCancelReport.Already.class, name = "already"),
  @JsonSubTypes.Type(value = PlanCancelReport.NotFound.class, name = "not-found")
})
public sealed interface PlanCancelReport extends NamedAnswer {

  PlanId plan();

  /// What became of the steps of a plan that has ended.
  static PlanCancelReport of(PlanInfo ended) {
    return PlanEnds.report(ended);
  }

  /// Nothing of the plan goes on. It can be retried: what had not finished runs again then.
  ///
  /// @param stopped the paths of steps whose attempt was stopped
  /// @param finished of those that had succeeded
  /// @param failed of those that had failed
  /// @param neverRan of those that nothing of ever ran
  /// @param abandoned of those whose code did not stop and may still run; nothing that it leaves
  ///   will count
  /// @param kept the committed changesets: they stay, and can be shown and applied
  record Cancelled(
      PlanId plan,
      String reason,
      List<String> stopped,
      List<String> finished,
      List<String> failed,
      List<String> neverRan,
      List<String> abandoned,
      List<ChangesetInfo> kept)
      implements PlanCancelReport {

    public Cancelled {
      stopped = List.copyOf(stopped);
      finished = List.copyOf(finished);
      failed = List.copyOf(failed);
      neverRan = List.copyOf(neverRan);
      abandoned = List.copyOf(abandoned);
      kept = List.copyOf(kept);
    }
  }

  /// The plan had ended before the request, or while it was on its way.
  record Already(PlanId plan, PlanStatus status) implements PlanCancelReport {}

  /// There is no such plan.
  record NotFound(PlanId plan) implements PlanCancelReport {}
}
