package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonFormat.Shape;
import java.time.Instant;
import java.util.Optional;

/// Summary of a plan for a line in a list.
///
/// @param steps number of steps; a child plan counts as one
/// @param done number of ended steps
/// @param changes number of changes in all committed changesets
/// @param finishedAt end of the plan; empty before
public record PlanOverview(
    PlanId id,
    String name,
    PlanStatus status,
    int steps,
    int done,
    int changes,
    @JsonFormat(shape = Shape.STRING) Instant createdAt,
    @JsonFormat(shape = Shape.STRING) Optional<Instant> finishedAt) {}
