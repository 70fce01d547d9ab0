package dev.handoff;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonFormat.Shape;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.handoff.job.JobId;
import dev.handoff.plan.change.Changeset;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/// A committed changeset: a link of its plan's chain.
///
/// @param id unique within its plan
/// @param step the path of the step whose attempt made it; empty if a caller did
/// @param attempt of the job; empty if a caller made it
/// @param by the caller who made it; empty if an attempt did
/// @param changes how many there are in it
/// @param decisions how many decisions about conflicts there are in it
/// @param hash of all of it, and of all links before it
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
    String hash) {

  static ChangesetInfo of(Changeset set) {
    var by = set.by();
    return new ChangesetInfo(
        set.id(),
        set.label(),
        Optional.ofNullable(by.step()),
        Optional.ofNullable(by.job()),
        by.job() == null ? OptionalInt.empty() : OptionalInt.of(by.attempt()),
        Optional.ofNullable(by.caller()),
        set.at(),
        set.changes(),
        set.decisions(),
        set.hash());
  }
}
