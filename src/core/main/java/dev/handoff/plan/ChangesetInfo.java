package dev.handoff.plan;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonFormat.Shape;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.handoff.JobId;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/// A committed changeset: one link in the hash chain of its plan.
///
/// @param id id, unique within the plan
/// @param step path of the step whose attempt made the changeset; empty for a caller's changeset
/// @param attempt number of that attempt; empty for a caller's changeset
/// @param by caller who made the changeset; empty for an attempt's changeset
/// @param changes number of changes
/// @param decisions number of recorded decisions
/// @param hash hash over this changeset and all earlier links
public record ChangesetInfo(
    String id,
    String label,
    Optional<String> step,
    Optional<JobId> job,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) OptionalInt attempt,
    Optional<String> by,
    @JsonFormat(shape = Shape.STRING) Instant at,
    int changes,
    int decisions,
    String hash) {}
