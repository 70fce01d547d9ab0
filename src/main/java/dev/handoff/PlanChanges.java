package dev.handoff;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

/// The changes of one attempt of a step: they become one changeset of the plan when the attempt
/// succeeds, and nothing at all when it does not. Safe to use from any thread until the handler
/// returns.
///
/// An answer that is not [ChangeAnswer.Recorded] is the handler's to deal with. One that nobody has
/// looked at, or that comes when the handler has returned, fails the attempt: so nothing is lost
/// unseen.
public interface PlanChanges {

  /// How many changes an attempt may have.
  int MOST = 20_000;

  /// Records a change. Answered when its contents are durable and it has its place, which is after
  /// those that were recorded before it. The stage never fails.
  default CompletionStage<ChangeAnswer> record(Change change) {
    Objects.requireNonNull(change, "change");
    return record(List.of(change));
  }

  /// Records all of them, in this order, or none.
  CompletionStage<ChangeAnswer> record(List<Change> changes);
}
