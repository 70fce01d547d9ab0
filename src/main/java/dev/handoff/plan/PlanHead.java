package dev.handoff.plan;

import dev.handoff.plan.change.Changeset;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A plan in a list: what can be said of it in one line.
///
/// @param steps how many it has; a child plan counts as one
/// @param done how many of them have ended
/// @param changes how many its committed changesets have, all together
/// @param endedAt null = it has not
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
        steps.count(StepStatus.SUCCEEDED)
            + steps.count(StepStatus.FAILED)
            + steps.count(StepStatus.CANCELLED);
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
