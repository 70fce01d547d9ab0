package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.handoff.json.NamedAnswer;
import java.util.List;

/// Result of a plan cancel.
@JsonSubTypes({
  @JsonSubTypes.Type(value = PlanCancelReport.Cancelled.class, name = "cancelled"),
  @JsonSubTypes.Type(value = PlanCancelReport.Already.class, name = "already"),
  @JsonSubTypes.Type(value = PlanCancelReport.NotFound.class, name = "not-found")
})
public sealed interface PlanCancelReport extends NamedAnswer {

  PlanId plan();

  /// Report about the steps of an ended plan.
  static PlanCancelReport of(PlanInfo ended) {
    return CancelledSteps.of(ended);
  }

  /// The plan has stopped completely. A retry of the plan runs the unfinished steps again.
  ///
  /// @param stopped paths of steps whose attempt was stopped
  /// @param finished paths of steps that had succeeded
  /// @param failed paths of steps that had failed
  /// @param neverRan paths of steps that never ran
  /// @param abandoned paths of steps whose code did not stop and may still run; later results of
  ///   that code are ignored
  /// @param kept committed changesets: they stay, and can be shown and applied
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

  /// The plan ended before it received the cancel request.
  record Already(PlanId plan, PlanStatus status) implements PlanCancelReport {}

  /// The plan does not exist.
  record NotFound(PlanId plan) implements PlanCancelReport {}
}
