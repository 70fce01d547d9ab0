package dev.handoff;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonFormat.Shape;
import java.time.Instant;

/// The cancel of a job: who asked for it, and what is known of its end.
///
/// @param abandoned whether code of the job may have run on when it was cancelled
/// @param discarded whether a result came after the request and was thrown away
public record CancelInfo(
    String reason,
    String by,
    @JsonFormat(shape = Shape.STRING) Instant requestedAt,
    boolean abandoned,
    boolean discarded) {}
