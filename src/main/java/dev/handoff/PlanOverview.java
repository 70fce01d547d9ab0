package dev.handoff;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonFormat.Shape;
import dev.handoff.plan.PlanHead;
import dev.handoff.plan.PlanId;
import dev.handoff.plan.PlanStatus;
import java.time.Instant;
import java.util.Optional;

/// A plan in a list: what can be said of it in one line.
///
/// @param steps how many it has; a child plan counts as one
/// @param done how many of them have ended
/// @param changes how many its committed changesets have, all together
/// @param finishedAt empty while it has not ended
public record PlanOverview(
    PlanId id,
    String name,
    PlanStatus status,
    int steps,
    int done,
    int changes,
    @JsonFormat(shape = Shape.STRING) Instant createdAt,
    @JsonFormat(shape = Shape.STRING) Optional<Instant> finishedAt) {

  static PlanOverview of(PlanHead head) {
    return new PlanOverview(
        head.id(),
        head.name(),
        head.status(),
        head.steps(),
        head.done(),
        head.changes(),
        head.createdAt(),
        Optional.ofNullable(head.endedAt()));
  }
}
