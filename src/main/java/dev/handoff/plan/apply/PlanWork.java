package dev.handoff.plan.apply;

import dev.handoff.cancel.CancellationToken;
import dev.handoff.plan.Applies;
import dev.handoff.plan.ApplyOutcome;
import dev.handoff.plan.Applying;
import dev.handoff.plan.PlanState;
import dev.handoff.plan.change.Contents;

/// Writes what the changes of a plan come to into a directory.
public record PlanWork(Contents contents) implements Applies.Work {

  @Override
  public ApplyOutcome check(PlanState plan, String target) {
    return new ApplyOutcome.Undone(target, "nothing is written yet");
  }

  @Override
  public ApplyOutcome write(PlanState plan, Applying apply, CancellationToken stop) {
    return new ApplyOutcome.Undone(apply.target(), "nothing is written yet");
  }

  @Override
  public ApplyOutcome recover(PlanState plan, Applying apply) {
    return new ApplyOutcome.Undone(apply.target(), "nothing is written yet");
  }
}
