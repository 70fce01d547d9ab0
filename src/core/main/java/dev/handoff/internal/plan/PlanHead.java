package dev.handoff.internal.plan;

import dev.handoff.internal.plan.change.Changeset;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanInfo;
import dev.handoff.plan.PlanStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Summary of a plan for lists.
///
/// @param steps number of steps; a child plan counts as one
/// @param done number of ended steps
/// @param changes number of changes in all committed changesets
/// @param endedAt null = not ended
public record PlanHead(
    PlanId id,
    String name,
    PlanStatus status,
    int steps,
    int done,
    int changes,
    Instant createdAt,
    @Nullable Instant endedAt) {

  public static PlanHead of(PlanState plan) {
    var steps = plan.steps();
    int done =
        steps.count(PlanInfo.StepStatus.SUCCEEDED)
            + steps.count(PlanInfo.StepStatus.FAILED)
            + steps.count(PlanInfo.StepStatus.CANCELLED);
    return new PlanHead(
        plan.id(),
        plan.spec().name(),
        plan.status(),
        steps.size(),
        done,
        plan.book().chain().stream().mapToInt(Changeset::changes).sum(),
        plan.createdAt(),
        plan.endedAt().orElse(null));
  }
}
