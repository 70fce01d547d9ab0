package dev.handoff;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonFormat.Shape;
import java.time.Instant;
import java.util.Optional;

/// An ended attempt of a job.
///
/// @param attempt number of the attempt: the fence
/// @param worker pool and worker that ran the attempt
/// @param startedAt time of the handler call; empty if the job knows of none
/// @param error error of the attempt; empty without one. Attempts of long ago have no stack trace
/// @param abandoned whether the attempt's code may have continued to run
/// @param late report that arrived after the attempt's end and was refused; empty if none
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
