package dev.handoff;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonFormat.Shape;
import java.time.Instant;

/// Cancel request of a job, with its result as far as known.
///
/// @param abandoned whether code of the job may still have run when the job was cancelled
/// @param discarded whether a result arrived after the request and was discarded
public record CancelInfo(
    String reason,
    String by,
    @JsonFormat(shape = Shape.STRING) Instant requestedAt,
    boolean abandoned,
    boolean discarded) {}
