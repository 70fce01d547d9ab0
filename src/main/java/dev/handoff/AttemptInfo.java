package dev.handoff;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonFormat.Shape;
import dev.handoff.job.JobError;
import java.time.Instant;
import java.util.Optional;

/// An attempt of a job that is over.
///
/// @param attempt its number: the fence
/// @param worker the pool and the worker that ran it
/// @param startedAt when its handler was called; empty if it was not, as far as the job knows
/// @param error what it failed with; empty if it did not. Attempts of long ago have no stack trace
/// @param abandoned whether its code may have run on
/// @param late what arrived of it after it was over, and was refused; empty if nothing did
public record AttemptInfo(
    int attempt,
    String worker,
    @JsonFormat(shape = Shape.STRING) Instant claimedAt,
    @JsonFormat(shape = Shape.STRING) Optional<Instant> startedAt,
    @JsonFormat(shape = Shape.STRING) Instant endedAt,
    AttemptOutcome outcome,
    Optional<JobError> error,
    boolean abandoned,
    Optional<String> late) {}
