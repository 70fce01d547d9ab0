package dev.handoff.plan;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

/// Changes of one attempt of a step. They become one changeset of the plan if the attempt succeeds,
/// and are dropped otherwise. Thread-safe until the handler returns.
///
/// The handler must handle every answer other than [ChangeAnswer.Recorded]. An unread answer of
/// that kind, or an answer after the handler's return, fails the attempt, so no change is lost
/// unnoticed.
public interface PlanChanges {

  /// Maximum number of changes of an attempt.
  int MOST = 20_000;

  /// Records a change. The stage completes when the contents are durable and the change has its
  /// place after all changes recorded earlier. The stage never fails.
  default CompletionStage<ChangeAnswer> record(Change change) {
    Objects.requireNonNull(change, "change");
    return record(List.of(change));
  }

  /// Records all changes, in list order, or none of them.
  CompletionStage<ChangeAnswer> record(List<Change> changes);
}
